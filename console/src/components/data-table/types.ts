import type { ApiError } from '@tollgate/contract'
import type { ReactNode } from 'react'

import type { Room } from './room'

/** One column of a table, and how it stands on a phone's card. */
export interface Column<Row> {
  readonly id: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'start' | 'end'
  /** Pixels; else as wide as its content. */
  readonly width?: number
  /** Cannot be hidden: the row would lose its name. */
  readonly isFixed?: boolean
  readonly isHiddenAtFirst?: boolean
  /** The page sorts by it when `sorting` changes. */
  readonly isSortable?: boolean
  /** The table sorts the rows of the page by this value; rows without one come last. */
  readonly sortBy?: (row: Row) => number | string | undefined
  /**
   * Where it stands on a phone's card: `title` and `aside` begin and end the first line, `plain` (the value alone) and `fact`
   * (with its name) share the second, `line` (the default) has one to itself, `hidden` is left out.
   */
  readonly card?: 'title' | 'aside' | 'plain' | 'fact' | 'line' | 'hidden'
  /** Drawn on a card instead of `cell`; the card leaves out what is empty. */
  readonly cardCell?: (row: Row) => ReactNode
  /** The id of the column in whose cells it stands on a second line, for as long as that one is shown. */
  readonly under?: string
  /** Has a column of its own, despite `under`, in tables with this much room. */
  readonly alone?: Room
  /** Drawn instead of `cell` while it stands under another column. */
  readonly belowCell?: (row: Row) => ReactNode
  /** Left out of tables with less room, unless the reader asked for it. */
  readonly from?: Room
  /** Takes the width that the others leave, and cuts what is longer. */
  readonly isWide?: boolean
}

/** What a list is drawn from: a query's rows, or why there are none. */
interface TableSource<Row> {
  readonly rows: readonly Row[] | undefined
  readonly isPending: boolean
  /** Other rows are on their way; those shown stay. */
  readonly isFetching?: boolean
  readonly error: ApiError | null
  readonly onRetry: () => void
}

export interface Paging {
  /** From 1. */
  readonly page: number
  readonly size: number
  readonly total: number
  readonly onChange: (page: number, size: number) => void
  /** There are at least so many; the server stopped counting. */
  readonly isTotalCapped?: boolean
}

export interface Sorting {
  /** Undefined while the rows stand in the order they came in. */
  readonly column: string | undefined
  readonly isDescending: boolean
  readonly onChange: (column: string, isDescending: boolean) => void
  /** Returns to the order the rows came in: the third click on a column. */
  readonly onReset?: () => void
}

/** Details below a row, across the whole table. */
export interface Unfolding<Row> {
  readonly unfolded: ReadonlySet<string>
  readonly onToggle: (key: string) => void
  readonly canUnfold: (row: Row) => boolean
  readonly content: (row: Row) => ReactNode
  /** A cell of the page's own unfolds the row, with an `UnfoldButton`. */
  readonly hasOwnButton?: boolean
}

/** The last row: what the rows add up to. */
export interface Sums {
  /** What is added up: "This page", "All 57 calls". */
  readonly label: string
  /** By the id of their column. */
  readonly cells: Readonly<Record<string, ReactNode>>
}

export interface Selection<Row> {
  readonly selected: ReadonlySet<string>
  readonly onChange: (selected: ReadonlySet<string>) => void
  /** The buttons of the bulk bar. */
  readonly actions: (rows: readonly Row[], clear: () => void) => ReactNode
}

/** An empty list invites: it says what would stand there, and leads to the step that fills it. */
interface EmptyText {
  readonly title: string
  readonly hint: ReactNode
  /** Null where the reader can do nothing about it. */
  readonly action: ReactNode
}

export interface DataTableProps<Row> {
  /** Names what is remembered: `<id>-table-columns`. */
  readonly id: string
  /** What the table lists, for those who do not see it. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly source: TableSource<Row>
  readonly rowKey: (row: Row) => string
  readonly paging?: Paging
  readonly sorting?: Sorting
  readonly selection?: Selection<Row>
  /** Buttons at the end of each row, always in sight. */
  readonly rowActions?: (row: Row) => ReactNode
  readonly onOpen?: (row: Row) => void
  /** The row whose details are open. */
  readonly openKey?: string
  readonly isMuted?: (row: Row) => boolean
  /** The row tells of a failure, and its ground says so. */
  readonly isBad?: (row: Row) => boolean
  readonly unfolding?: Unfolding<Row>
  /** The name of the section a row is in; rows of one section follow one another, below its name. */
  readonly sectionOf?: (row: Row) => string
  readonly sums?: Sums
  readonly empty: EmptyText
  /** What stands above the reason when the list cannot be loaded. */
  readonly errorTitle?: string
  /** Filters are set: an empty list then offers to clear them. */
  readonly onClearFilters?: () => void
  /** Left of the table's own settings. */
  readonly toolbar?: ReactNode
}
