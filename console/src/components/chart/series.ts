type CssVariable = `var(--${string})`

/** A named series with a value for each of the chart's times. */
export interface ChartSeries {
  readonly name: string
  /** Null: a gap in a line, nothing in a stack. */
  readonly values: readonly (number | null)[]
  /** The sum of everything not listed by name, in a neutral colour. */
  readonly isRest?: boolean
  /** A fixed colour, for series that mean a status rather than a name. */
  readonly color?: CssVariable
}

const slots = 8

/** Colours assigned to names since the console was opened. */
const drawn = new Map<string, number>()

/**
 * Returns a colour for each series. A name keeps its colour whatever its rank, range and neighbours, unless another name of the same chart has
 * the same one: then the one assigned first keeps it, or else the alphabetically first. A single series has the first colour.
 */
export function seriesColors(series: readonly ChartSeries[], known = drawn): readonly CssVariable[] {
  const taken = new Set<number>()
  const slotOf = new Map<string, number>()
  const names = series.filter(({ isRest, color }) => !isRest && !color).map(({ name }) => name)
  const sorted = names.toSorted()
  for (const name of [...sorted.filter((one) => known.has(one)), ...sorted.filter((one) => !known.has(one))]) {
    let slot = known.get(name) ?? (names.length === 1 ? 0 : hash(name) % slots)
    while (taken.has(slot) && taken.size < slots) slot = (slot + 1) % slots
    taken.add(slot)
    slotOf.set(name, slot)
    if (!known.has(name)) known.set(name, slot)
  }
  return series.map(({ name, isRest, color }): CssVariable => {
    if (color) return color
    return isRest ? 'var(--chart-rest)' : `var(--chart-${(slotOf.get(name) ?? 0) + 1})`
  })
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}

export interface Reading {
  readonly name: string
  readonly value: number
  readonly color: string
}

/** Returns the readings at one time: the sum, then the non-zero values, largest first. */
export function readingsAt(series: readonly ChartSeries[], index: number): { total: number; rows: readonly Reading[] } {
  const colors = seriesColors(series)
  const rows = series
    .map(({ name, values }, position) => ({ name, value: values[index] ?? 0, color: colors[position] ?? '' }))
    .filter(({ value }) => value !== 0)
    .toSorted((one, other) => other.value - one.value)
  return { total: rows.reduce((sum, { value }) => sum + value, 0), rows }
}
