import type { Lease } from './lease'
import type { Grant } from './waiting-calls'
import type { HoldRange } from './want'
import type { LeaseKeeper } from './lease-keeper'
import type { Payer } from '../ledger'

interface Taken extends Grant {
  readonly user: Lease
  readonly token: Lease | null
}

/** Reserves from what this worker has leased; null when that does not cover it. */
export function takeNow(leases: LeaseKeeper, payer: Payer, amount: number, now: number): Taken | null {
  const user = leases.user(payer.userId)
  const token = tokenOf(leases, payer)
  if (!user.covers(amount) || (token && !token.covers(amount))) return null
  user.reserve(amount, now)
  token?.reserve(amount, now)
  return { user, token, amount, spendable: null }
}

/**
 * Reserves as soon as the balances are leased, the same amount of both.
 * @throws AppError `quota.user`, `quota.token`, `ledger.unavailable`.
 */
export async function take(leases: LeaseKeeper, payer: Payer, holdRange: HoldRange): Promise<Taken> {
  const user = leases.user(payer.userId)
  const first = await user.acquire(holdRange)
  try {
    // Not before: while the call waits, an unused lease may be dropped and replaced by another.
    const token = tokenOf(leases, payer)
    if (token === null) return { user, token, ...first }
    const second = await token.acquire({ ...holdRange, max: first.amount })
    user.book.reduce(first.amount - second.amount)
    return { user, token, amount: second.amount, spendable: lesser(first.spendable, second.spendable) }
  } catch (error) {
    user.book.release(first.amount)
    throw error
  }
}

const tokenOf = (leases: LeaseKeeper, payer: Payer): Lease | null =>
  payer.isTokenLimited ? leases.token(payer.tokenId) : null

const lesser = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)
