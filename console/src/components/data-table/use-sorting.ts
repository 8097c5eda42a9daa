import type { Sorting } from './types'

interface SortInAddress {
  readonly sort?: string
  readonly descending?: boolean
}

/** Keeps the sorting of a table in the address; `pageSearch` has the two parameters. */
export const useSorting = (
  { sort, descending = false }: SortInAddress,
  setSearch: (change: SortInAddress) => void,
): Sorting => ({
  column: sort,
  isDescending: descending,
  onChange: (column, isDescending) => setSearch({ sort: column, descending: isDescending || undefined }),
  onReset: () => setSearch({ sort: undefined, descending: undefined }),
})
