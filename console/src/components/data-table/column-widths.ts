import type { CSSProperties } from 'react'

/** Limits of a column's width, in pixels. */
export const columnWidths = { least: 48, most: 900 } as const

/** Fixes a cell to its column's width, however long its content. */
export const heldAt = (width: number | undefined): CSSProperties | undefined =>
  width === undefined ? undefined : { width, minWidth: width, maxWidth: width }
