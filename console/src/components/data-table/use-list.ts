import { useCallback, useMemo, useState } from 'react'

import type { DataTableProps, Selection } from './types'
import { usePage } from './paging'

interface ListInAddress {
  readonly page?: number
  readonly size?: number
  readonly sort?: string
  readonly descending?: boolean
}

interface ListOptions<Search, Sort extends string> {
  /** Columns that the server sorts by. */
  readonly sorts?: readonly Sort[]
  /** The filters of the list, all of them undefined. */
  readonly noFilters: Partial<Search>
  /** Whether an empty list may be so for its filters; by default, whether any is set. */
  readonly isNarrowed?: boolean
  /** Which stored page size applies. */
  readonly sizeOf?: 'page' | 'message'
}

/** What a list shows, for its call: the page counts from 1. */
export interface ListPart<Sort extends string> {
  readonly page: number
  readonly size: number
  readonly sort: Sort | undefined
  readonly descending: true | undefined
}

const noSelection: ReadonlySet<string> = new Set()

/**
 * The state of every list: page, order and filters in the address, selected rows in the page. What changes the rows clears the selection, and
 * a filter or an order begins with the first page. `setSearch` must be stable.
 */
export function useList<Search extends ListInAddress, Sort extends string = never>(
  search: Search,
  setSearch: (change: Partial<Search>) => void,
  { sorts, noFilters, isNarrowed, sizeOf }: ListOptions<Search, Sort>,
) {
  const [selected, select] = useState(noSelection)
  const turn = (change: Pick<ListInAddress, 'page' | 'size'>) => {
    select(noSelection)
    setSearch({ ...noChange<Search>(), ...change })
  }
  const paging = usePage(search, turn, sizeOf)
  const filter = useCallback(
    (change: Partial<Search>) => {
      select(noSelection)
      setSearch({ ...change, page: undefined })
    },
    [setSearch],
  )
  const sort = sorts?.find((name) => name === search.sort)
  const isDescending = sort !== undefined && search.descending === true
  const order = (column: string | undefined, isDescending: boolean) =>
    filter({ ...noChange<Search>(), sort: column, descending: isDescending || undefined })
  const isFiltered =
    isNarrowed ?? Object.entries(search).some(([name, value]) => value !== undefined && name in noFilters)
  const { page, size, onChange } = paging
  return {
    /** Stable while nothing changes. */
    part: useMemo(
      (): ListPart<Sort> => ({ page, size, sort, descending: isDescending || undefined }),
      [page, size, sort, isDescending],
    ),
    filter,
    isFiltered,
    selection: { selected, onChange: select } satisfies Pick<Selection<never>, 'selected' | 'onChange'>,
    /** Returns the props of the table for this many rows on all pages. */
    tableOf: (
      total: number | undefined,
      isTotalCapped?: boolean,
    ): Pick<DataTableProps<never>, 'paging' | 'sorting' | 'onClearFilters'> => ({
      paging: { page, size, onChange, total: total ?? 0, isTotalCapped },
      sorting: sorts && {
        column: sort,
        isDescending,
        onChange: order,
        onReset: () => order(undefined, false),
      },
      onClearFilters: isFiltered ? () => filter(noFilters) : undefined,
    }),
  }
}

const noChange = <Search>(): Partial<Search> => ({})
