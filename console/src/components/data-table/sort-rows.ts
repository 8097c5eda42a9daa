import type { Column, Sorting } from './types'

/** Returns the rows of a page sorted by the column that `sorting` names, if it has a sort value; otherwise unchanged. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sorting: Sorting | undefined) {
  const sortBy = columns.find(({ id }) => id === sorting?.column)?.sortBy
  if (!sorting || !sortBy) return rows
  const direction = sorting.isDescending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [left, right] = [sortBy(one), sortBy(other)]
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
    return direction * compare(left, right)
  })
}

const compare = (left: number | string, right: number | string) =>
  typeof left === 'number' && typeof right === 'number'
    ? left - right
    : String(left).localeCompare(String(right), undefined, { numeric: true })
