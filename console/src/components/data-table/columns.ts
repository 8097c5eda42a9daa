import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react'

import { watchPosition } from '../../lib/url/watch-position'
import type { Column, WidthClass } from './types'

/** Least width of each class, in pixels. */
const minWidths = { narrow: 0, middle: 700, wide: 1000 } as const satisfies Record<WidthClass, number>

export const fits = (widthClass: WidthClass, needed: WidthClass = 'narrow'): boolean =>
  minWidths[widthClass] >= minWidths[needed]

/** Returns the class of a table of this width in pixels; a table without layout counts as wide. */
export function widthClassOf(width: number): WidthClass {
  if (width === 0 || width >= minWidths.wide) return 'wide'
  return width >= minWidths.middle ? 'middle' : 'narrow'
}

/** Columns that share a cell: the first is the host, the others are listed below it. */
export type Cell<Row> = readonly [Column<Row>, ...Column<Row>[]]

/** Moves columns into the cell of their host where the host is shown and there is not enough room. */
export function cellsOf<Row>(shown: readonly Column<Row>[], widthClass: WidthClass): readonly Cell<Row>[] {
  const hostOf = (column: Column<Row>): Column<Row> => {
    const { stackBelow, ownColumnFrom } = column
    if (stackBelow === undefined || (ownColumnFrom && fits(widthClass, ownColumnFrom))) return column
    const host = shown.find(({ id }) => id === stackBelow)
    return host ? hostOf(host) : column
  }
  return shown
    .filter((column) => hostOf(column) === column)
    .map((column) => [column, ...shown.filter((other) => other !== column && hostOf(other) === column)])
}

/** Limits of a column's width, in pixels. */
export const columnWidths = { min: 48, max: 900 } as const

/** Fixes a cell to its column's width, however long its content. */
export const fixedWidth = (width: number | undefined): CSSProperties | undefined =>
  width === undefined ? undefined : { width, minWidth: width, maxWidth: width }

/** Measures the table's frame: its width class, and its offset on the page for the height of its body. */
export function useTableFrame() {
  const ref = useRef<HTMLDivElement>(null)
  const [widthClass, setWidthClass] = useState<WidthClass>('wide')
  useLayoutEffect(
    () => (ref.current ? watchPosition(ref.current, (width) => setWidthClass(widthClassOf(width))) : undefined),
    [],
  )
  return { ref, widthClass }
}
