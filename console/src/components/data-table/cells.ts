import type { Column } from './types'

/** The columns that share a cell: the first names it, the others stand below. */
export type Cell<Row> = readonly [Column<Row>, ...Column<Row>[]]

/** Puts each column below the one it belongs under, where that is shown. */
export function cellsOf<Row>(shown: readonly Column<Row>[]): readonly Cell<Row>[] {
  const isBelow = ({ under }: Column<Row>) => under !== undefined && shown.some(({ id }) => id === under)
  return shown
    .filter((column) => !isBelow(column))
    .map((column) => [column, ...shown.filter(({ under }) => under === column.id)])
}
