import type { ApiError } from '@tollgate/contract'
import type { ReactNode } from 'react'

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
  /** The table can be sorted by it, by whoever answers `sorting`. */
  readonly isSortable?: boolean
  /** `title` heads the card; `hidden` leaves it out. Default: a line with its name. */
  readonly card?: 'title' | 'line' | 'hidden'
  /** Drawn on a card in the cell's place; nothing leaves the line out. */
  readonly cardCell?: (row: Row) => ReactNode
  /** The id of the column in whose cells it stands on a second line, for as long as that one is shown. */
  readonly under?: string
  /** Takes the width that the others leave, and cuts what is longer. */
  readonly isWide?: boolean
  /** Left out while a row's details stand beside the table and leave it little room. */
  readonly isSpare?: boolean
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
  readonly column: string
  readonly isDescending: boolean
  readonly onChange: (column: string, isDescending: boolean) => void
}

export interface Selection<Row> {
  readonly selected: ReadonlySet<string>
  readonly onChange: (selected: ReadonlySet<string>) => void
  /** The buttons of the bulk bar. */
  readonly actions: (rows: readonly Row[], clear: () => void) => ReactNode
}

interface EmptyText {
  readonly title: string
  readonly hint?: ReactNode
  readonly action?: ReactNode
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
  /** What stands below a row across the whole table; nothing where the row is folded. */
  readonly unfolded?: (row: Row) => ReactNode
  readonly empty: EmptyText
  /** Filters are set: an empty list then offers to clear them. */
  readonly onClearFilters?: () => void
  /** Left of the table's own settings. */
  readonly toolbar?: ReactNode
}
