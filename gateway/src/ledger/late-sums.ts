import { dimensionNames, dimensions, figures, spans, type DimensionName } from '../analytics/dimensions'
import { longSums } from '../analytics/long-sums'
import { pairs, pairSpans, type Pair } from '../analytics/pairs'
import { userPacks } from '../analytics/user-packs'
import { packRecords, type UserRecord } from '../analytics/user-records'
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

/** Of sums, up to where they are made. */
type UntilOf = (number: number) => number

/** What the sums by one column lack of rows of hours that are added up, in the order of their keys. */
export const sumRows = (untilOf: UntilOf, rows: readonly Row[]): Parameter[][] => [
  ...dimensionNames.flatMap((name) => ofColumn(untilOf, rows, name, dimensions[name], Object.values(spans))),
  ...longSums.flatMap((long) =>
    'column' in long ? ofColumn(untilOf, rows, long.column, long.number, long.spans) : [],
  ),
]

/** The same of the sums by two columns. */
export const pairRows = (untilOf: UntilOf, rows: readonly Row[]): Parameter[][] => [
  ...pairs.flatMap((pair) => ofPair(untilOf, rows, pair, pair.number, Object.values(pairSpans))),
  ...longSums.flatMap((long) => ('pair' in long ? ofPair(untilOf, rows, long.pair, long.number, long.spans) : [])),
]

/** The records that packs lack of them. */
export const packRows = (untilOf: UntilOf, rows: readonly Row[]): Parameter[][] =>
  userPacks.flatMap(({ number, column, span }) => {
    const packs = new Map<string, { key: Parameter[]; records: UserRecord[] }>()
    for (const row of rows) {
      const hour = Number(row[0])
      if (hour >= untilOf(number)) continue
      const key = [number, String(row[places[column]]), hour - (hour % spans.day)]
      const id = key.join('\0')
      const pack = packs.get(id) ?? { key, records: [] }
      pack.records.push({
        start: hour - (hour % span),
        userId: Number(row[places.user_id]),
        amounts: row.slice(firstFigure).map(Number),
      })
      packs.set(id, pack)
    }
    return [...packs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { key, records }]) => [...key, packRecords(records)])
  })

const ofColumn = (
  untilOf: UntilOf,
  rows: readonly Row[],
  name: DimensionName,
  number: number,
  lengths: readonly number[],
): Parameter[][] =>
  added(untilOf(number), rows, lengths, (row, span, start) => [number, span, start, String(row[places[name]])])

const ofPair = (
  untilOf: UntilOf,
  rows: readonly Row[],
  { one, other }: Pair,
  number: number,
  lengths: readonly number[],
): Parameter[][] =>
  added(untilOf(number), rows, lengths, (row, span, start) => [
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
