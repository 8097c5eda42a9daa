import { sql, type RawBuilder } from 'kysely'

import type { Queries } from '../platform/store/database'

/** A balance that is not what was credited minus what was used. */
export interface Unbalanced {
  readonly id: number
  readonly found: number
  readonly expected: number
}

/** Users from one id to another, both included. */
export interface IdRange {
  readonly from: number
  readonly to: number
}

/** Resolves with the first users whose free + leased + held + used quota is not what they were credited; of all, or of some. */
export async function findUnbalanced(query: Queries, limit: number, range?: IdRange): Promise<Unbalanced[]> {
  const within = (column: RawBuilder<unknown>) =>
    range ? sql`${column} between ${range.from} and ${range.to}` : sql`1 = 1`
  const { rows } = await sql<Unbalanced>`select id, sum(found) as found, sum(expected) as expected from (
      select id, quota + used_quota as found, 0 as expected from users where ${within(sql`id`)}
      union all select ref_id, amount, 0 from leases where kind = 'user' and ${within(sql`ref_id`)}
      union all select user_id, amount, 0 from holds where ${within(sql`user_id`)}
      union all select user_id, 0, amount from credits where ${within(sql`user_id`)}
    ) as parts group by id having sum(found) <> sum(expected) order by id limit ${sql.lit(limit)}`.execute(query)
  return rows
}
