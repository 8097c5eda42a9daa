import { Skeleton } from '@mantine/core'
import type { ApiError } from '@tollgate/contract'

import { ErrorState } from '../../components/page/state-message'

const rowHeight = 64

interface ReadStateProps {
  readonly read: { readonly error: ApiError | null; readonly refetch: () => unknown }
  /** Approximate final height; by default that of a list row. */
  readonly height?: number
}

/** A placeholder while loading, or the reason of a failure. */
export function ReadState({ read: { error, refetch }, height = rowHeight }: ReadStateProps) {
  return error ? <ErrorState error={error} onRetry={() => void refetch()} isSmall /> : <Skeleton h={height} />
}
