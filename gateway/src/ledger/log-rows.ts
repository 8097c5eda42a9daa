import type { ChargeRecord } from './charge-record'
import type { LogEntry } from './ledger'
import type { Parameter } from './row-statement'

/** In the order of the statement that inserts logs. */
export const logRow = (requestId: string, entry: LogEntry, quota: number): Parameter[] => [
  requestId,
  entry.createdAt,
  entry.type,
  entry.userId,
  entry.username,
  entry.tokenId,
  entry.tokenName,
  entry.modelName,
  entry.group,
  entry.channelId,
  entry.channelName,
  entry.isStream ? 1 : 0,
  entry.useTimeSeconds,
  entry.promptTokens,
  entry.completionTokens,
  quota,
  entry.content,
  entry.clientIp,
  entry.other,
]

const secondsAnHour = 3600
/** Where the sums begin in a row; before them stands its key. */
const firstSum = 6

type Amounts = readonly [
  count: number,
  errors: number,
  quota: number,
  promptTokens: number,
  completionTokens: number,
  useTime: number,
]

/** Consumption by the hour, one row for each key, in the order of the keys. */
export const rollupRows = (records: readonly ChargeRecord[]): Parameter[][] =>
  rowsByKey(
    records.map(({ entry, cost }) => [
      entry,
      [1, 0, cost, entry.promptTokens, entry.completionTokens, entry.useTimeSeconds],
    ]),
  )

/** Errors by the hour; they count in nothing else. */
export const errorRollupRows = (entries: readonly LogEntry[]): Parameter[][] =>
  rowsByKey(entries.map((entry) => [entry, [0, 1, 0, 0, 0, 0]]))

function rowsByKey(parts: readonly (readonly [LogEntry, Amounts])[]): Parameter[][] {
  const rows = new Map<string, Parameter[]>()
  for (const [entry, amounts] of parts) {
    const hour = entry.createdAt - (entry.createdAt % secondsAnHour)
    const key = `${hour}\0${entry.userId}\0${entry.tokenName}\0${entry.modelName}\0${entry.channelId}\0${entry.group}`
    const row = rows.get(key)
    if (row) add(row, amounts)
    else rows.set(key, [hour, entry.userId, entry.tokenName, entry.modelName, entry.channelId, entry.group, ...amounts])
  }
  if (rows.size < 2) return [...rows.values()]
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function add(row: Parameter[], amounts: Amounts) {
  for (const [index, amount] of amounts.entries()) {
    row[firstSum + index] = Number(row[firstSum + index]) + amount
  }
}
