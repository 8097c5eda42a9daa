import type { ApiError } from '@tollgate/contract'
import type { ReactNode } from 'react'

import { ErrorState } from '../page/error-state'
import { FormDrawer } from './form-drawer'
import { PageLoading } from '../page/page-loading'

interface LoadedDrawerProps<Data> {
  readonly title: string
  /** Width of the drawer in pixels. */
  readonly width?: number
  /** A read with `staleTime: 0`: cached data may be outdated. */
  readonly read: {
    readonly data: Data | undefined
    readonly error: ApiError | null
    readonly isFetchedAfterMount: boolean
    readonly refetch: () => Promise<unknown>
  }
  readonly onClose: () => void
  /** Renders the drawer once the data is loaded. */
  readonly children: (data: Data) => ReactNode
}

/** Loads the record that a drawer edits, then renders the drawer, so that its form begins with current data. */
export function LoadedDrawer<Data>({ title, width, read, onClose, children }: LoadedDrawerProps<Data>) {
  const { data, error, isFetchedAfterMount, refetch } = read
  if (data !== undefined && isFetchedAfterMount && !error) return children(data)
  return (
    <FormDrawer isOpen title={title} width={width} isDirty={false} isSaving onSave={() => {}} onClose={onClose}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} isSmall /> : <PageLoading />}
    </FormDrawer>
  )
}
