import type { Database, Transaction } from '../store/database'
import { dimensionNames, dimensions, figures, spans, type DimensionName } from '../usage-sums/dimensions'
import { keepFoldsOut } from '../usage-sums/lock'
import { addToRollups, addToSums } from './charge-statements'
import type { Parameter } from './row-statement'

/** Adds rows of `rollupRows` to the hourly sums, and to the sums of hours that are added up already. */
export type AddToRollups = (transaction: Transaction, rows: readonly (readonly Parameter[])[]) => Promise<void>

/** Where each column stands in a row; the figures stand behind them. */
const places: Readonly<Record<DimensionName, number>> = {
  user_id: 1,
  token_name: 2,
  model_name: 3,
  channel_id: 4,
  group: 5,
}
const firstFigure = 6

export function createAddToRollups({ kind, query }: Database): AddToRollups {
  const add = addToRollups(query)
  const addSums = addToSums(query)

  return async (transaction, rows) => {
    if (rows.length === 0) return
    await keepFoldsOut(transaction, kind)
    const results = await add.run(transaction, rows)
    if (results.every(({ is_late: isLate }) => !isLate)) return
    const folds = await transaction.selectFrom('usage_folds').selectAll().execute()
    const untils = new Map(folds.map(({ dimension, until }) => [dimension, until]))
    const sums = dimensionNames.flatMap((name) => sumRows(name, untils.get(dimensions[name]) ?? 0, rows))
    await addSums.run(transaction, sums)
  }
}

/** What the sums of one column lack of these rows, by hour and by day, in the order of their keys. */
function sumRows(name: DimensionName, until: number, rows: readonly (readonly Parameter[])[]): Parameter[][] {
  const sums = new Map<string, Parameter[]>()
  for (const row of rows) {
    const hour = Number(row[0])
    if (hour >= until) continue
    const key = String(row[places[name]])
    for (const span of [spans.hour, spans.day]) {
      const start = hour - (hour % span)
      const id = `${span}\0${start}\0${key}`
      const sum = sums.get(id)
      if (sum) for (const at of figures.keys()) sum[4 + at] = Number(sum[4 + at]) + Number(row[firstFigure + at])
      else sums.set(id, [dimensions[name], span, start, key, ...row.slice(firstFigure)])
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}
