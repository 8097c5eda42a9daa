import { hasRoom, type Room } from './room'
import type { Column } from './types'

/** The columns that share a cell: the first names it, the others stand below. */
export type Cell<Row> = readonly [Column<Row>, ...Column<Row>[]]

/** Puts each column below the one it belongs under, where that is shown and there is not the room to stand alone. */
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
