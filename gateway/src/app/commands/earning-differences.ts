import { sql } from 'kysely'

import { earningFigures, spans } from '../../billing/analytics/rollups'
import type { Queries } from '../../platform/store/database'
import { maxDifferences, type Check, type Difference } from './difference'

interface Row {
  readonly hour: number
  readonly channel: number
  readonly found: number
  readonly expected: number
}

/**
 * Compares the sums by upstream key with the hourly ones, by hour and channel, and those of days with those of hours. They begin with the release that knows them: in their first
 * hour calls may be missing.
 */
export async function keyDifferences(query: Queries, since: number): Promise<Difference[]> {
  const names = sql.join(earningFigures.map((name) => sql.ref(name)))
  const negative = sql.join(earningFigures.map((name) => sql`-${sql.ref(name)}`))
  const differ = sql.join(
    earningFigures.map((name) => sql`sum(${sql.ref(name)}) <> 0`),
    sql` or `,
  )
  const first = sql`(select min(hour) from key_rollups)`
  const { rows } = await sql<Row>`select hour, channel, sum(found) as found, sum(expected) as expected from (
      select hour, channel_id as channel, quota as found, 0 as expected, ${names} from key_rollups where hour >= ${since}
      union all select hour, channel_id, 0, quota, ${negative} from rollups
        where hour >= ${since} and hour >= ${first} and count > 0
    ) as parts group by hour, channel
    having (hour > ${first} and (${differ})) or sum(count) > 0 or sum(quota) > 0
    order by hour, channel limit ${sql.lit(maxDifferences)}`.execute(query)
  const { rows: days } = await sql<Row>`select hour, channel, sum(found) as found, sum(expected) as expected from (
      select day as hour, channel_id as channel, quota as found, 0 as expected, ${names} from key_days where day >= ${since}
      union all select hour - hour % ${sql.lit(spans.day)}, channel_id, 0, quota, ${negative} from key_rollups
        where hour - hour % ${sql.lit(spans.day)} >= ${since}
    ) as parts group by hour, channel having ${differ}
    order by hour, channel limit ${sql.lit(maxDifferences)}`.execute(query)
  return [...rows.map(differenceOf('key-hour')), ...days.map(differenceOf('key-day'))]
}

const differenceOf =
  (check: Check) =>
  ({ hour, channel, found, expected }: Row): Difference => ({ check, id: channel, hour, found, expected })
