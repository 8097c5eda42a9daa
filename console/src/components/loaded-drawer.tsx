import type { ApiError } from '@tollgate/contract'
import type { ReactNode } from 'react'

import { ErrorState } from './error-state'
import { FormDrawer } from './form-drawer'
import { PageLoading } from './page-loading'

interface LoadedDrawerProps<Data> {
  readonly title: string
  /** Of the drawer with its form, in pixels. */
  readonly width?: number
  /** A read with `staleTime: 0`: what an earlier look left in memory may have changed. */
  readonly read: {
    readonly data: Data | undefined
    readonly error: ApiError | null
    readonly isFetchedAfterMount: boolean
    readonly refetch: () => Promise<unknown>
  }
  readonly onClose: () => void
  /** The drawer with its form, once the thing is there. */
  readonly children: (data: Data) => ReactNode
}

/** Loads what a drawer edits, then draws the drawer: the form begins with what is there now. */
export function LoadedDrawer<Data>({ title, width, read, onClose, children }: LoadedDrawerProps<Data>) {
  const { data, error, isFetchedAfterMount, refetch } = read
  if (data !== undefined && isFetchedAfterMount && !error) return children(data)
  return (
    <FormDrawer isOpen title={title} width={width} isDirty={false} isSaving onSave={() => {}} onClose={onClose}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} isSmall /> : <PageLoading />}
    </FormDrawer>
  )
}
