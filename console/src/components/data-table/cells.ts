import { hasRoom, type Room } from './room'
import type { Column } from './types'

/** Columns that share a cell: the first is the host, the others are listed below it. */
export type Cell<Row> = readonly [Column<Row>, ...Column<Row>[]]

/** Moves columns into the cell of their host where the host is shown and there is not enough room. */
export function cellsOf<Row>(shown: readonly Column<Row>[], room: Room): readonly Cell<Row>[] {
  const hostOf = (column: Column<Row>): Column<Row> => {
    const { under, alone } = column
    if (under === undefined || (alone && hasRoom(room, alone))) return column
    const host = shown.find(({ id }) => id === under)
    return host ? hostOf(host) : column
  }
  return shown
    .filter((column) => hostOf(column) === column)
    .map((column) => [column, ...shown.filter((other) => other !== column && hostOf(other) === column)])
}
