import { logType } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Queries } from '../../platform/store/database'
import { dimensionNames, spans } from '../../billing/analytics/rollups'
import { readBatch } from '../../billing/analytics/measures/read-batch'
import { readLogged, type LoggedRow } from '../../billing/analytics/measures/logged-call'
import { eachLog } from '../../billing/usage-log/each-log'
import { callTypes } from '../../billing/usage-log/log-filter'
import type { LogStore } from '../../billing/usage-log/log-store'
import { packOf } from '../../billing/analytics/measures/packs'
import type { Difference } from './difference'
import { differencesOf, HourlyFigures } from './hourly-figures'

/**
 * Compares the measures of each hour since `since` (seconds), by each column, with the log of its calls, and what these cost at their vendors.
 * In hours with missing rows, measures must agree by all columns and cannot count more calls than there were. A day at a time.
 */
export async function measureDifferences(
  query: Queries,
  since: number,
  logs: Pick<LogStore, 'each'> = { each: (filter) => eachLog(query, filter) },
): Promise<Difference[]> {
  const all: Difference[] = []
  for (const day of await daysSince(query, since - (since % spans.day))) {
    const measured = await measuredOn(query, day)
    const logged = await loggedOn(logs, day)
    const costs = await costsOn(query, day)
    for (const { hour, calls, errors } of await countsOn(query, day)) {
      const hasCalls = (logged.calls.get(hour) ?? 0) === calls
      if (hasCalls) all.push(...costDifferences(hour, costs, logged.costs))
      const hasErrors = (logged.errors.get(hour) ?? 0) === errors
      const other = measured.at(dimensionNames[0], hour)
      for (const column of dimensionNames) {
        const found = measured.at(column, hour)
        const record = logged.hours.at(column, hour)
        const expected = {
          calls: hasCalls ? record : other,
          errors: hasErrors ? record : other,
          isByValue: hasCalls && hasErrors,
        }
        const differences = differencesOf(found, expected)
        const excess = { check: 'measure-calls', found: found.measures.calls, expected: calls } as const
        if (found.measures.calls > calls && !hasCalls) differences.push(excess)
        all.push(...differences.map((difference) => ({ ...difference, id: packOf(column), hour })))
      }
    }
  }
  return all
}

interface HourCounts {
  readonly hour: number
  readonly calls: number
  readonly errors: number
}

const batchesAtOnce = 200

const next = (day: number) => day + spans.day

/** Resolves with the days that have traffic, or measures of some. */
async function daysSince(query: Queries, since: number): Promise<number[]> {
  const { rows } = await sql<{
    day: number
  }>`select hour - hour % ${sql.lit(spans.day)} as day from rollups where hour >= ${since}
    union select day from usage_packs where day >= ${since} and pack = ${sql.lit(packOf('group'))}
    order by day`.execute(query)
  return rows.map(({ day }) => day)
}

/** Resolves with the calls and failed attempts of each hour, by the hourly rollups; for every hour of the day. */
async function countsOn(query: Queries, day: number): Promise<HourCounts[]> {
  const rows = await query
    .selectFrom('rollups')
    .where('hour', '>=', day)
    .where('hour', '<', next(day))
    .select(({ fn }) => ['hour', fn.sum<number>('count').as('calls'), fn.sum<number>('errors').as('errors')])
    .groupBy('hour')
    .execute()
  const byHour = new Map(rows.map((row) => [row.hour, row]))
  return Array.from({ length: spans.day / spans.hour }, (_, index) => {
    const hour = day + index * spans.hour
    return byHour.get(hour) ?? { hour, calls: 0, errors: 0 }
  })
}

/** By the hour and the channel. */
type Costs = ReadonlyMap<number, ReadonlyMap<number, number>>

/** Resolves with what calls cost at their vendors, by the hourly rollups; without hours that an earlier release charged, which added up none. */
async function costsOn(query: Queries, day: number): Promise<Costs> {
  const rows = await query
    .selectFrom('rollups')
    .where('hour', '>=', day)
    .where('hour', '<', next(day))
    .select(({ fn }) => ['hour', 'channel_id', fn.sum<number>('vendor_cost').as('cost')])
    .where((eb) => eb.or([eb('unpriced', '>', 0), eb('sold', '>', 0), eb('vendor_cost', '>', 0)]))
    .groupBy(['hour', 'channel_id'])
    .execute()
  const hours = Map.groupBy(rows, ({ hour }) => hour)
  return new Map([...hours].map(([hour, of]) => [hour, new Map(of.map(({ channel_id: id, cost }) => [id, cost]))]))
}

const costDifferences = (hour: number, found: Costs, logged: Costs): Difference[] =>
  [...(found.get(hour) ?? [])].flatMap(([id, cost]): Difference[] => {
    const expected = logged.get(hour)?.get(id) ?? 0
    return cost === expected ? [] : [{ check: 'hour-cost', id, hour, found: cost, expected }]
  })

/** Resolves with the packs and the batches that are in none yet. */
async function measuredOn(query: Queries, day: number): Promise<HourlyFigures> {
  const figures = new HourlyFigures()
  for (const column of dimensionNames) {
    const packs = query.selectFrom('usage_packs').where('pack', '=', packOf(column)).where('day', '=', day)
    for (const { value, records } of await packs.select(['value', 'records']).execute())
      figures.addPack(column, value, day, records)
  }
  for (let last = 0; ;) {
    const batches = await query
      .selectFrom('measure_batches')
      .select(['id', 'records'])
      .where('hour', '>=', day)
      .where('id', '>', last)
      .orderBy('id')
      .limit(batchesAtOnce)
      .execute()
    for (const { records } of batches) {
      readBatch(records, (key) => (key.hour >= day && key.hour < next(day) ? figures.one(key) : []))
    }
    if (batches.length < batchesAtOnce) return figures
    last = batches.at(-1)?.id ?? 0
  }
}

interface LoggedDay {
  readonly hours: HourlyFigures
  /** Rows of calls and of failed attempts by the hour, measured or not. */
  readonly calls: Map<number, number>
  readonly errors: Map<number, number>
  readonly costs: Map<number, Map<number, number>>
}

async function loggedOn(logs: Pick<LogStore, 'each'>, day: number): Promise<LoggedDay> {
  const logged: LoggedDay = { hours: new HourlyFigures(), calls: new Map(), errors: new Map(), costs: new Map() }
  for await (const rows of logs.each({ from: day, to: next(day) - 1 })) {
    for (const row of rows) {
      if (!callTypes.includes(row.type)) continue
      const hour = row.created_at - (row.created_at % spans.hour)
      const record = readLogged(row)
      if (record?.kind === 'refusal') continue
      const among = row.type === logType.error ? logged.errors : logged.calls
      among.set(hour, (among.get(hour) ?? 0) + 1)
      if (!record) continue
      if (record.kind === 'call') addCost(logged.costs, hour, row.channel_id, record.vendorCost ?? 0)
      for (const measures of logged.hours.one({ hour, values: valuesOf(row) })) {
        if (record.kind === 'error') measures.addErrors(record.code, 1)
        else measures.addCall({ ...record.call, cacheSaved: 0 })
      }
    }
  }
  return logged
}

function addCost(costs: LoggedDay['costs'], hour: number, channelId: number, cost: number): void {
  const ofHour = costs.get(hour) ?? new Map<number, number>()
  costs.set(hour, ofHour.set(channelId, (ofHour.get(channelId) ?? 0) + cost))
}

const valuesOf = ({ user_id, token_name, model_name, channel_id, group }: LoggedRow) => ({
  user_id: String(user_id),
  token_name,
  model_name,
  channel_id: String(channel_id),
  group,
})
