import { z } from 'zod'

import type { SourceTopUp } from '../site-source'
import { readTable, type ReadableTable } from '../source/read-table'
import { decimal, int, trimmed } from '../source/values'

const TopUp = z.object({
  id: int,
  user_id: int,
  amount: int,
  money: decimal,
  trade_no: trimmed,
  payment_method: trimmed,
  payment_provider: trimmed,
  create_time: int,
  complete_time: int,
})
type TopUp = z.output<typeof TopUp>

/** SQL of a condition. Payments for plans are listed among top-ups, with an amount of nothing. */
export const isPaid = `status = 'success' and amount > 0`

/** Yields the paid orders of top-ups. */
export async function* readTopUps(source: ReadableTable): AsyncGenerator<readonly SourceTopUp[]> {
  for await (const rows of readTable(source, { table: 'top_ups', key: 'id', schema: TopUp, where: isPaid }))
    yield rows.map((row) => ({
      id: row.id,
      userId: row.user_id,
      number: row.trade_no,
      credited: creditedBy(row),
      paidAt: row.complete_time || row.create_time,
    }))
}

/** Amounts are dollars. Of Stripe the money is what was credited; Creem sells quota. */
function creditedBy({ amount, money, payment_provider, payment_method }: TopUp): SourceTopUp['credited'] {
  const provider = payment_provider || payment_method
  if (provider === 'creem') return { quota: amount }
  return { dollars: provider === 'stripe' ? money : amount }
}
