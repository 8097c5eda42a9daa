import type { ChargeRecord } from './charge-record'
import {
  noFigures,
  noKeyFigures,
  type Figures,
  type KeyDayRow,
  type KeyFigures,
  type KeyRollupRow,
  type LogRow,
  type RollupRow,
} from './charge-statements'
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
const secondsADay = 24 * secondsAnHour

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
      unpriced: entry.vendorCost === undefined ? 1 : 0,
      cached_tokens: entry.measures?.cachedTokens ?? 0,
      cost_saved: entry.vendorSaved ?? 0,
    },
  ])

/** What was served with each upstream key by the hour, in the order of the keys. */
export function keyRollupRows(records: readonly ChargeRecord[]): KeyRollupRow[] {
  const rows = new Map<string, KeyRollupRow>()
  for (const { entry, cost } of records) {
    const { channelId, upstreamKey = '' } = entry
    const hour = entry.createdAt - (entry.createdAt % secondsAnHour)
    const id = `${hour}\0${channelId}\0${upstreamKey}`
    let row = rows.get(id)
    if (!row) rows.set(id, (row = { hour, channel_id: channelId, upstream_key: upstreamKey, ...noKeyFigures }))
    addEntry(row, entry, cost)
  }
  return inOrder(rows)
}

/** The same by the day. */
export function keyDayRows(hours: readonly KeyRollupRow[]): KeyDayRow[] {
  const rows = new Map<string, KeyDayRow>()
  for (const { hour, ...figures } of hours) {
    const day = hour - (hour % secondsADay)
    const id = `${day}\0${figures.channel_id}\0${figures.upstream_key}`
    const row = rows.get(id)
    if (row) addTo(row, figures)
    else rows.set(id, { day, ...figures })
  }
  return inOrder(rows)
}

const inOrder = <Row>(rows: ReadonlyMap<string, Row>): Row[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)

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
    if (row) addAll(row, figures)
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
  return inOrder(rows)
}

function addEntry(row: KeyFigures, entry: LogEntry, cost: number): void {
  const { promptTokens, measures, vendorCost, vendorSaved = 0 } = entry
  row.count += 1
  row.quota += cost
  row.prompt_tokens += promptTokens
  if (vendorCost === undefined) row.unpriced += 1
  else row.sold += cost
  row.vendor_cost += vendorCost ?? 0
  row.cached_tokens += measures?.cachedTokens ?? 0
  row.cost_saved += vendorSaved
}

function addAll(row: Figures, figures: Figures): void {
  addTo(row, figures)
  row.errors += figures.errors
  row.completion_tokens += figures.completion_tokens
  row.use_time += figures.use_time
}

function addTo(row: KeyFigures, figures: KeyFigures): void {
  row.count += figures.count
  row.quota += figures.quota
  row.prompt_tokens += figures.prompt_tokens
  row.sold += figures.sold
  row.vendor_cost += figures.vendor_cost
  row.unpriced += figures.unpriced
  row.cached_tokens += figures.cached_tokens
  row.cost_saved += figures.cost_saved
}
