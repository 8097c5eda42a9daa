import { Skeleton } from '@mantine/core'
import type { ApiError } from '@tollgate/contract'

import { ErrorState } from '../../components/error-state'

const rowHeight = 64

interface ReadStateProps {
  readonly read: { readonly error: ApiError | null; readonly refetch: () => unknown }
  /** Of what will stand here, about; otherwise a row of a list. */
  readonly height?: number
}

/** Stands for what has not been read yet, or says why it could not be. */
export function ReadState({ read: { error, refetch }, height = rowHeight }: ReadStateProps) {
  return error ? <ErrorState error={error} onRetry={() => void refetch()} isSmall /> : <Skeleton h={height} />
}
