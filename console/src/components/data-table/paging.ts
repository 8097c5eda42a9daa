import * as z from 'zod'
import { type ApiError, pageSizes } from '@tollgate/contract'

import type { DataTableProps } from './types'
import { pageSizeFor } from '../../lib/url/page-size'
import { StoredValue, useStored } from '../../lib/browser/stored-value'

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

const storedSize = (key: string) =>
  new StoredValue(
    key,
    z.coerce.number().refine((size) => pageSizes.some((known) => known === size)),
    pageSizeFor(typeof window === 'undefined' ? 0 : window.innerHeight),
  )

/** Message lists store a size of their own, under the specification's keys. */
const storedSizes = { page: storedSize('page-size'), message: storedSize('message-page-size') } as const

interface PageInAddress {
  readonly page?: number
  readonly size?: number
}

/** Returns page and size from the address, the size by default as stored in this browser, and functions that change them. */
export function usePage(
  search: PageInAddress,
  setSearch: (change: PageInAddress) => void,
  of: keyof typeof storedSizes = 'page',
) {
  const [rememberedSize, rememberSize] = useStored(storedSizes[of])
  return {
    page: search.page ?? 1,
    size: search.size ?? rememberedSize,
    onChange: (page: number, size: number) => {
      rememberSize(size)
      setSearch({ page: page === 1 ? undefined : page, size: size === rememberedSize ? search.size : size })
    },
  }
}
