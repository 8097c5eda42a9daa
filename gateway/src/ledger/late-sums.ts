import { dimensions, figures, spans, type DimensionName } from '../usage-sums/dimensions'
import { pairSpans, type Pair } from '../usage-sums/pairs'
import type { Parameter } from './row-statement'

type Row = readonly Parameter[]

/** Where each column stands in a row; the figures stand behind them. */
const places: Readonly<Record<DimensionName, number>> = {
  user_id: 1,
  token_name: 2,
  model_name: 3,
  channel_id: 4,
  group: 5,
}
const firstFigure = 6

/** What the sums of one column lack of rows of hours that are added up, by hour and by day, in the order of their keys. */
export const sumRows = (name: DimensionName, until: number, rows: readonly Row[]): Parameter[][] =>
  added(until, rows, Object.values(spans), (row, span, start) => [
    dimensions[name],
    span,
    start,
    String(row[places[name]]),
  ])

/** The same of a pair of columns. */
export const pairRows = ({ number, one, other }: Pair, until: number, rows: readonly Row[]): Parameter[][] =>
  added(until, rows, Object.values(pairSpans), (row, span, start) => [
    number,
    span,
    String(row[places[one]]),
    start,
    String(row[places[other]]),
  ])

function added(
  until: number,
  rows: readonly Row[],
  lengths: readonly number[],
  keyOf: (row: Row, span: number, start: number) => Parameter[],
): Parameter[][] {
  const sums = new Map<string, Parameter[]>()
  for (const row of rows) {
    const hour = Number(row[0])
    if (hour >= until) continue
    for (const span of lengths) {
      const key = keyOf(row, span, hour - (hour % span))
      const id = key.join('\0')
      const sum = sums.get(id)
      if (sum) for (const at of figures.keys()) addTo(sum, key.length + at, row[firstFigure + at])
      else sums.set(id, [...key, ...row.slice(firstFigure)])
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

function addTo(sum: Parameter[], place: number, amount: Parameter | undefined): void {
  sum[place] = Number(sum[place]) + Number(amount)
}
