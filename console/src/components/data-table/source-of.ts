import type { ApiError } from '@tollgate/contract'

import type { DataTableProps } from './types'

interface ListRead<Row> {
  readonly data: { readonly items: readonly Row[]; readonly total: number } | undefined
  readonly isPending: boolean
  readonly isFetching: boolean
  readonly error: ApiError | null
  readonly refetch: () => Promise<unknown>
}

/** Converts a read of one page of a list into a table's source. */
export const sourceOf = <Row>(read: ListRead<Row>): DataTableProps<Row>['source'] => ({
  rows: read.data?.items,
  isPending: read.isPending,
  isFetching: read.isFetching,
  error: read.error,
  onRetry: () => void read.refetch(),
})
