import type { ChargeRecord } from './charge-record'
import { noFigures, type Figures, type LogRow, type RollupRow } from './charge-statements'
import type { LogEntry } from '../ledger'

export const logRow = (requestId: string, entry: LogEntry, quota: number): LogRow => ({
  request_id: requestId,
  created_at: entry.createdAt,
  type: entry.type,
  user_id: entry.userId,
  username: entry.username,
  token_id: entry.tokenId,
  token_name: entry.tokenName,
  model_name: entry.modelName,
  group: entry.group,
  channel_id: entry.channelId,
  channel_name: entry.channelName,
  is_stream: entry.isStream ? 1 : 0,
  use_time: entry.useTimeSeconds,
  prompt_tokens: entry.promptTokens,
  completion_tokens: entry.completionTokens,
  quota,
  content: entry.content,
  client_ip: entry.clientIp,
  other: entry.other,
})

const secondsAnHour = 3600

/** Consumption by the hour, one row for each key, in the order of the keys. */
export const rollupRows = (records: readonly ChargeRecord[]): RollupRow[] =>
  rowsByKey(records, ({ entry, cost }) => [
    entry,
    {
      count: 1,
      errors: 0,
      quota: cost,
      prompt_tokens: entry.promptTokens,
      completion_tokens: entry.completionTokens,
      use_time: entry.useTimeSeconds,
      sold: entry.vendorCost === undefined ? 0 : cost,
      vendor_cost: entry.vendorCost ?? 0,
    },
  ])

const anError: Figures = { ...noFigures, errors: 1 }

/** Errors by the hour; they count in nothing else. */
export const errorRollupRows = (entries: readonly LogEntry[]): RollupRow[] =>
  rowsByKey(entries, (entry) => [entry, anError])

function rowsByKey<Item>(
  items: readonly Item[],
  partOf: (item: Item) => readonly [entry: LogEntry, figures: Figures],
): RollupRow[] {
  const rows = new Map<string, RollupRow>()
  for (const item of items) {
    const [{ createdAt, userId, tokenName, modelName, channelId, group }, figures] = partOf(item)
    const hour = createdAt - (createdAt % secondsAnHour)
    const key = `${hour}\0${userId}\0${tokenName}\0${modelName}\0${channelId}\0${group}`
    const row = rows.get(key)
    if (row) add(row, figures)
    else
      rows.set(key, {
        hour,
        user_id: userId,
        token_name: tokenName,
        model_name: modelName,
        channel_id: channelId,
        group,
        ...figures,
      })
  }
  if (rows.size < 2) return [...rows.values()]
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function add(row: RollupRow, figures: Figures): void {
  row.count += figures.count
  row.errors += figures.errors
  row.quota += figures.quota
  row.prompt_tokens += figures.prompt_tokens
  row.completion_tokens += figures.completion_tokens
  row.use_time += figures.use_time
  row.sold += figures.sold
  row.vendor_cost += figures.vendor_cost
}
