import type { ApiError } from '@tollgate/contract'
import type { ReactNode } from 'react'

/** Its own width decides, so that a menu or a panel next to the table counts too. */
export type WidthClass = 'narrow' | 'middle' | 'wide'

/** One column of a table, and its place on a phone card. */
export interface Column<Row> {
  readonly id: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly align?: 'start' | 'end'
  /** Pixels; undefined: as wide as its content. */
  readonly width?: number
  /** Cannot be hidden, since it identifies the row. */
  readonly isFixed?: boolean
  readonly isHiddenAtFirst?: boolean
  /** The page sorts by it when `sorting` changes. */
  readonly isSortable?: boolean
  /** The table sorts the rows of the page by this value; rows without one come last. */
  readonly sortBy?: (row: Row) => number | string | undefined
  /**
   * Place on a phone card: `title` and `trailing` begin and end the first line, `plain` (value only) and `fact` (with its name) share the
   * second, `line` (the default) has its own, `hidden` is left out.
   */
  readonly card?: 'title' | 'trailing' | 'plain' | 'fact' | 'line' | 'hidden'
  /** Rendered on a card instead of `cell`; empty values are left out. */
  readonly cardCell?: (row: Row) => ReactNode
  /** Id of the host column: shown as a second line in its cells while the host is shown. */
  readonly stackBelow?: string
  /** Has a column of its own, despite `stackBelow`, in tables at least this wide. */
  readonly ownColumnFrom?: WidthClass
  /** Rendered instead of `cell` while it is stacked below another column. */
  readonly belowCell?: (row: Row) => ReactNode
  /** Hidden in tables narrower than this, unless the reader shows it. */
  readonly hiddenBelow?: WidthClass
  /** Takes the remaining width and truncates longer content. */
  readonly isWide?: boolean
}

/** Rows of a query, or why there are none. */
interface TableSource<Row> {
  readonly rows: readonly Row[] | undefined
  readonly isPending: boolean
  /** Other rows are loading; the current ones stay. */
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
  /** A lower bound: the server stopped counting. */
  readonly isTotalCapped?: boolean
}

export interface Sorting {
  /** Undefined while the rows are unsorted. */
  readonly column: string | undefined
  readonly isDescending: boolean
  readonly onChange: (column: string, isDescending: boolean) => void
  /** Restores the original order: the third click on a column. */
  readonly onReset?: () => void
}

/** Details below a row, across the whole table. */
export interface RowExpansion<Row> {
  readonly expanded: ReadonlySet<string>
  readonly onToggle: (key: string) => void
  readonly canExpand: (row: Row) => boolean
  readonly content: (row: Row) => ReactNode
  /** A cell of the page expands the row, with an `ExpandButton`. */
  readonly hasOwnButton?: boolean
}

/** The last row: the sums of the rows. */
export interface Sums {
  /** What is summed: "This page", "All 57 calls". */
  readonly label: string
  /** By column id. */
  readonly cells: Readonly<Record<string, ReactNode>>
}

export interface Selection<Row> {
  readonly selected: ReadonlySet<string>
  readonly onChange: (selected: ReadonlySet<string>) => void
  /** Buttons of the bulk bar. */
  readonly actions: (rows: readonly Row[], clear: () => void) => ReactNode
}

/** The text of an empty list: what would be listed, and the step that creates it. */
export interface EmptyText {
  readonly title: string
  readonly hint: ReactNode
  /** Null where the reader cannot change it. */
  readonly action: ReactNode
}

export interface DataTableProps<Row> {
  /** Prefix of the storage key: `<id>-table-columns`. */
  readonly id: string
  /** What the table lists, for screen readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly source: TableSource<Row>
  readonly rowKey: (row: Row) => string
  readonly paging?: Paging
  readonly sorting?: Sorting
  readonly selection?: Selection<Row>
  /** Buttons at the end of each row, always visible. */
  readonly rowActions?: (row: Row) => ReactNode
  readonly onOpen?: (row: Row) => void
  /** Key of the row whose details are open. */
  readonly openKey?: string
  readonly isMuted?: (row: Row) => boolean
  /** Whether the row shows a failure, which tints its background. */
  readonly isBad?: (row: Row) => boolean
  readonly expansion?: RowExpansion<Row>
  /** Section of a row; rows of one section are consecutive, below its name. */
  readonly sectionOf?: (row: Row) => string
  readonly sums?: Sums
  readonly empty: EmptyText
  /** Title above the reason when the list cannot be loaded. */
  readonly errorTitle?: string
  /** Set while filters are active: an empty list then offers to clear them. */
  readonly onClearFilters?: () => void
  /** Shown left of the table's own settings. */
  readonly toolbar?: ReactNode
}
