import { hourSeconds } from '@tollgate/contract'
import { sql } from 'kysely'

import type { RollupRow } from '../../../billing/ledger/charge/charge-statements'
import { inheritedQuotaPrefix } from '../../../channels/change-channels'
import { keepTotals } from '../../../operations/retention/remove-sums'
import type { Transaction } from '../../../platform/store/database'

export const hourOf = (moment: number): number => moment - (moment % hourSeconds)

/**
 * Moves what users and channels used from the sum of all that was before the import to the hours that are known: `rows` are such hours. In
 * total both stay what they were.
 */
export async function moveFromOpening(rows: readonly RollupRow[], transaction: Transaction): Promise<void> {
  await keepTotals(
    transaction,
    rows.map(({ user_id, quota, count }) => ({ user_id, channel_id: 0, quota: -quota, count: -count })),
  )
  const byChannel = new Map<number, number>()
  for (const { channel_id: id, quota } of rows)
    if (id !== 0 && quota !== 0) byChannel.set(id, (byChannel.get(id) ?? 0) + quota)
  for (const [id, quota] of byChannel)
    await transaction
      .insertInto('counters')
      .values({ name: `${inheritedQuotaPrefix}${id}`, value: -quota })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql`counters.value + excluded.value` }))
      .execute()
}
