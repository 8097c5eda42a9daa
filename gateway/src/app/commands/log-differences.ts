import { logType, daySeconds } from '@tollgate/contract'
import { sql } from 'kysely'

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

const clampSeconds = (seconds: number) => Math.trunc(Math.min(Math.max(seconds, 0), Number.MAX_SAFE_INTEGER))
