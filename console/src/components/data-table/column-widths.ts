import type { CSSProperties } from 'react'

/** What a reader may give a column, in pixels. */
export const columnWidths = { least: 48, most: 900 } as const

/** Holds a cell at the width its column was given, however long its content is. */
export const heldAt = (width: number | undefined): CSSProperties | undefined =>
  width === undefined ? undefined : { width, minWidth: width, maxWidth: width }
