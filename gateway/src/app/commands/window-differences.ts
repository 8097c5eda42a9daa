import { sql } from 'kysely'

import { leasedOfPeriod } from '../../billing/ledger/window/standings'
import { sumHeldPeriods } from '../../billing/ledger/window/held-windows'
import type { Queries } from '../../platform/store/database'
import { maxDifferences, type Difference } from './difference'

/** What calls used is in no row of its own: of a period, free, leased and held are at most what its limit allows. */
export async function windowDifferences(query: Queries): Promise<Difference[]> {
  const held = await sumHeldPeriods(query)
  const periods = query
    .selectFrom('window_periods')
    .select(['id', 'capacity', sql<number>`free + ${leasedOfPeriod}`.as('rest')])
  const above = await periods
    .where(sql<boolean>`free + ${leasedOfPeriod} > capacity`)
    .orderBy('id')
    .limit(maxDifferences)
    .execute()
  const ids = [...held.keys()]
  const ofHolds = ids.length === 0 ? [] : await periods.where('id', 'in', ids).execute()
  const rows = new Map([...above, ...ofHolds].map((row) => [row.id, row]))
  const known = new Set(ofHolds.map(({ id }) => id))
  return [
    ...[...rows.values()]
      .map(({ id, capacity, rest }): Difference => ({
        check: 'window-limit',
        id,
        found: rest + (held.get(id) ?? 0),
        expected: capacity,
      }))
      .filter(({ found, expected }) => found > expected),
    ...(await leasedOfNone(query)),
    ...ids
      .filter((id) => !known.has(id))
      .map((id): Difference => ({ check: 'window-held', id, found: held.get(id) ?? 0, expected: 0 })),
  ]
}

/** Resolves with what workers hold of periods that do not exist. */
async function leasedOfNone(query: Queries): Promise<Difference[]> {
  const rows = await query
    .selectFrom('leases')
    .select(['ref_id as id', (eb) => eb.fn.sum<number>('amount').as('found')])
    .where('kind', '=', 'window')
    .where('amount', '>', 0)
    .where('ref_id', 'not in', (eb) => eb.selectFrom('window_periods').select('window_periods.id'))
    .groupBy('ref_id')
    .orderBy('ref_id')
    .limit(maxDifferences)
    .execute()
  return rows.map((row) => ({ check: 'window-leased', expected: 0, ...row }))
}
