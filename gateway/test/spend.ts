import type { Context } from '../src/context'
import type { Payer } from '../src/billing/ledger/ledger'
import { aCharge } from './ledger'

let calls = 0

/** Charges a call to a payer, so that it can be read in the database. */
export async function spend({ ledger }: Context, payer: Payer, cost: number): Promise<void> {
  const reservation = await ledger.reserve(`spend-${payer.userId}-${(calls += 1)}`, payer, cost)
  await ledger.charge(reservation, aCharge(cost, payer))
  await ledger.waitUntilApplied()
}
