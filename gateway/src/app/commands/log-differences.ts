import { logType, daySeconds, hourSeconds } from '@tollgate/contract'
import { sql } from 'kysely'

import type { ChargedHour } from '../../billing/usage-log/log-sums'
import type { LogStore } from '../../billing/usage-log/log-store'
import type { Queries } from '../../platform/store/database'
import { readRetainedSince } from '../../operations/retention/read-retained-since'
import { maxDifferences, type Difference } from './difference'
import { OptionTimes } from './option-times'

interface Row {
  readonly request: string
  readonly id: number
  readonly logged: number
  readonly charged: number
  readonly rows: number
  readonly charges: number
}

/** The longest call: it is logged as the option was when it began. */
const maxCallSeconds = daySeconds
const clockMargin = 3600

/**
 * Compares each charge since `since` (seconds) with its row in the log. A row needs a charge at any time; a charge needs a row where rows
 * were written for it and have not been removed since.
 */
export async function logDifferences(query: Queries, since: number): Promise<Difference[]> {
  const from = Math.max(since, await readRetainedSince(query, 'log'))
  const times = await OptionTimes.read(query, 'LogConsumeEnabled')
  const logged = times.periods.filter(({ value }) => value)
  const isLogged = logged.map(
    ({ from, until }) =>
      sql`created_at between ${clampSeconds(from + maxCallSeconds)} and ${clampSeconds(until - clockMargin)}`,
  )
  const mustBe = sql`case when ${isLogged.length === 0 ? sql`1 = 0` : sql.join(isLogged, sql` or `)} then 1 else 0 end`
  const { rows } = await sql<Row>`select request, max(user_id) as id, sum(logged) as logged, sum(charged) as charged,
      sum(rows) as rows, sum(charges) as charges from (
      select request_id as request, user_id, 0 as logged, quota as charged, 0 as rows, 1 as charges, ${mustBe} as due
        from charges where created_at >= ${from}
      union all select request_id, user_id, quota, 0, 1, 0, 1
        from logs where created_at >= ${from} and type = ${sql.lit(logType.consumption)}
    ) as parts group by request having max(due) = 1 and (sum(logged) <> sum(charged) or sum(rows) <> sum(charges))
    order by request limit ${sql.lit(maxDifferences)}`.execute(query)
  return rows.map(({ request: name, id, logged, charged, rows: count, charges }): Difference => {
    if (count === charges) return { check: 'log-quota', id, name, found: logged, expected: charged }
    return { check: 'log-rows', id, name, found: count, expected: charges }
  })
}

/**
 * Compares the charges of each hour since `since` (seconds) with the log, where that is not in the database alone: rows and charges cannot be
 * joined there.
 */
export async function hourlyLogDifferences(
  query: Queries,
  logs: Pick<LogStore, 'hours'>,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<Difference[]> {
  const from = Math.ceil(Math.max(since, await readRetainedSince(query, 'log')) / hourSeconds) * hourSeconds
  const { periods } = await OptionTimes.read(query, 'LogConsumeEnabled')
  const charged = new Map((await chargesByHour(query, from)).map((row) => [row.hour, row]))
  const logged = new Map((await logs.hours(from)).map((row) => [row.hour, row]))
  const differences: Difference[] = []
  for (let hour = from; hour <= now && differences.length < maxDifferences; hour += hourSeconds) {
    const rows = logged.get(hour) ?? noCalls
    const { count, quota } = charged.get(hour) ?? noCalls
    // Calls that began earlier or later, by another clock, are logged as the option was then.
    const isDue = periods.some(
      ({ value, from: start, until }) =>
        value && start + maxCallSeconds <= hour && hour + hourSeconds + clockMargin <= until,
    )
    if (isDue ? rows.count !== count : rows.count > count)
      differences.push({ check: 'hour-log-rows', id: 0, hour, found: rows.count, expected: count })
    if (isDue ? rows.quota !== quota : rows.quota > quota)
      differences.push({ check: 'hour-log-quota', id: 0, hour, found: rows.quota, expected: quota })
  }
  return differences
}

const noCalls = { count: 0, quota: 0 }

async function chargesByHour(query: Queries, from: number): Promise<ChargedHour[]> {
  const { rows } = await sql<ChargedHour>`select created_at - created_at % ${sql.lit(hourSeconds)} as hour,
    count(*) as count, sum(quota) as quota from charges where created_at >= ${from} group by 1`.execute(query)
  return rows
}

const clampSeconds = (seconds: number) => Math.trunc(Math.min(Math.max(seconds, 0), Number.MAX_SAFE_INTEGER))
