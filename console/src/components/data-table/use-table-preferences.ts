import { useMemo } from 'react'
import * as z from 'zod'

import { StoredValue, useStored } from '../../lib/browser/stored-value'
import { columnWidths } from './columns'
import type { Column } from './types'

const Preferences = z.object({
  /** Column ids in order; columns not named follow. */
  order: z.array(z.string()),
  /** Visibility by column id, where the reader chose it. */
  shown: z.record(z.string(), z.boolean()),
  /** Width in pixels by column id, where the reader chose it. */
  widths: z.record(z.string(), z.number().min(columnWidths.min).max(columnWidths.max)).optional(),
})
type Preferences = z.output<typeof Preferences>

const untouched: Preferences = { order: [], shown: {} }

export const densities = ['compact', 'normal'] as const
export type Density = (typeof densities)[number]

const storedDensity = new StoredValue<Density>('table-density', z.enum(densities), 'compact', { isPlain: true })

export interface TablePreferences {
  readonly order: readonly string[]
  /** Returns the visible columns in order. */
  readonly visibleColumns: <Row>(columns: readonly Column<Row>[]) => readonly Column<Row>[]
  readonly isShown: (id: string) => boolean
  /** Whether the reader chose to see it: it stays, however little room there is. */
  readonly isRequested: (id: string) => boolean
  readonly show: (id: string, isShown: boolean) => void
  /** Moves a column one place earlier (-1) or later (1). */
  readonly move: (id: string, by: -1 | 1) => void
  /** Returns the width that the reader chose, in pixels. */
  readonly widthOf: (id: string) => number | undefined
  /** Undefined: fits its content again. */
  readonly setWidth: (id: string, width: number | undefined) => void
  readonly reset: () => void
  readonly density: Density
  readonly setDensity: (density: Density) => void
}

/** Column visibility and order, as stored in this browser for the table. */
export function useTablePreferences<Row>(tableId: string, columns: readonly Column<Row>[]): TablePreferences {
  const entry = useMemo(() => new StoredValue(`${tableId}-table-columns`, Preferences, untouched), [tableId])
  const [preferences, setPreferences] = useStored(entry)
  const [density, setDensity] = useStored(storedDensity)
  const order = orderOf(columns, preferences.order)
  const isShown = (id: string) => {
    const column = columns.find((candidate) => candidate.id === id)
    return column?.isFixed || (preferences.shown[id] ?? !column?.isHiddenAtFirst)
  }
  return {
    order,
    visibleColumns: (columns) => order.flatMap((id) => columns.find((column) => column.id === id && isShown(id)) ?? []),
    isShown,
    isRequested: (id) => preferences.shown[id] === true,
    show: (id, shown) =>
      setPreferences({ ...preferences, order: [...preferences.order], shown: { ...preferences.shown, [id]: shown } }),
    move: (id, by) => setPreferences({ ...preferences, order: moveColumn(order, id, by) }),
    widthOf: (id) => preferences.widths?.[id],
    setWidth: (id, width) => {
      const { [id]: _, ...others } = preferences.widths ?? {}
      setPreferences({ ...preferences, widths: width === undefined ? others : { ...others, [id]: width } })
    },
    reset: () => entry.clear(),
    density,
    setDensity,
  }
}

/** Returns the stored order without removed columns, and with new ones in their default place. */
function orderOf<Row>(columns: readonly Column<Row>[], readStored: readonly string[]): string[] {
  const ids = columns.map(({ id }) => id)
  const known = readStored.filter((id) => ids.includes(id))
  const order = [...known]
  for (const [index, id] of ids.entries()) if (!known.includes(id)) order.splice(Math.min(index, order.length), 0, id)
  return order
}

function moveColumn(order: readonly string[], id: string, by: -1 | 1): string[] {
  const from = order.indexOf(id)
  const to = from + by
  if (from < 0 || to < 0 || to >= order.length) return [...order]
  return order.toSpliced(from, 1).toSpliced(to, 0, id)
}
