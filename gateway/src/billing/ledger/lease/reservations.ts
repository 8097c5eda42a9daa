import type { Logger } from 'pino'

import { AppError } from '../../../platform/app-error'
import type { Clock } from '../../../platform/time/clock'
import type { LeaseKeeper } from './lease-keeper'
import type { HoldRange, Ledger, Payer, Reservation } from '../ledger'
import type { Lease } from './lease'
import type { Grant } from './waiting-calls'

export interface ReservationsOptions {
  readonly leases: LeaseKeeper
  readonly clock: Clock
  readonly log: Logger
  /** Whether calls may begin. */
  readonly isUsable: (now: number) => boolean
}

/** Reservations of calls, cut from this worker's leases. */
export interface Reservations extends Pick<Ledger, 'reserve' | 'extend' | 'release'> {
  /** Ends a reservation, which stays to be charged. Null for one that has ended already, or that is not of this ledger. */
  end(reservation: Reservation, how: string): HeldReservation | null
}

export function createReservations({ leases, clock, log, isUsable }: ReservationsOptions): Reservations {
  async function reserve(requestId: string, payer: Payer, amountOrRange: number | HoldRange): Promise<Reservation> {
    const holdRange = typeof amountOrRange === 'number' ? { max: amountOrRange, min: amountOrRange } : amountOrRange
    checkRange(holdRange)
    const now = clock.monotonic()
    if (!isUsable(now)) throw new AppError('ledger.unavailable')
    const taken = takeNow(leases, payer, holdRange.max, now)
    if (taken) return new HeldReservation(requestId, payer, taken)
    return new HeldReservation(requestId, payer, await take(leases, payer, holdRange))
  }

  function extend(reservation: Reservation, holdRange: HoldRange): number | Promise<number> {
    checkRange(holdRange)
    const now = clock.monotonic()
    if (!(reservation instanceof HeldReservation) || !reservation.isOpen || !isUsable(now)) return 0
    const { payer, user, token } = reservation
    // What was taken while this worker was thought dead is charged to other leases than the rest of the call.
    const isSame = (taken: HeldFrom) => taken.user === user && taken.token === token && reservation.isOpen
    const addHold = (taken: HeldFrom): number => {
      if (!isSame(taken)) {
        giveUp(taken)
        return 0
      }
      reservation.grow(taken.amount)
      return taken.amount
    }
    const taken = takeNow(leases, payer, holdRange.max, now)
    if (taken) return addHold(taken)
    return take(leases, payer, holdRange).then(addHold, () => 0)
  }

  function end(reservation: Reservation, how: string): HeldReservation | null {
    if (reservation instanceof HeldReservation && reservation.end()) return reservation
    log.warn({ requestId: reservation.requestId, how }, 'a reservation that is not open was ended')
    return null
  }

  return {
    reserve,
    extend,
    end,
    release(reservation) {
      const held = end(reservation, 'release')
      if (held) giveUp(held)
    },
  }
}

/** Returns to its leases what was reserved, at no cost. */
export function giveUp({ user, token, amount }: HeldFrom): void {
  user.book.release(amount)
  token?.book.release(amount)
}

export const isAmount = (amount: number): boolean => Number.isSafeInteger(amount) && amount >= 0

function checkRange({ max, min }: HoldRange): void {
  if (!isAmount(max) || !isAmount(min) || min > max) throw new RangeError(`Not an amount of quota: ${min} to ${max}`)
}

interface HeldFrom {
  readonly user: Lease
  readonly token: Lease | null
  readonly amount: number
  readonly spendable: number | null
}

/** A reservation that knows which leases carry it, and ends once. */
export class HeldReservation implements Reservation {
  readonly user: Lease
  readonly token: Lease | null
  readonly spendable: number | null
  #amount: number
  #isOpen = true

  constructor(
    readonly requestId: string,
    readonly payer: Payer,
    { user, token, amount, spendable }: HeldFrom,
  ) {
    this.user = user
    this.token = token
    this.spendable = spendable
    this.#amount = amount
  }

  get amount(): number {
    return this.#amount
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Takes over what was reserved from the same leases for more of this call. */
  grow(amount: number): void {
    this.user.book.merge()
    this.token?.book.merge()
    this.#amount += amount
  }

  /** Ends it. Returns false from the second time on. */
  end(): boolean {
    const wasOpen = this.#isOpen
    this.#isOpen = false
    return wasOpen
  }
}

interface Taken extends Grant {
  readonly user: Lease
  readonly token: Lease | null
}

/** Reserves from what this worker has leased; null when that does not cover it. */
function takeNow(leases: LeaseKeeper, payer: Payer, amount: number, now: number): Taken | null {
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
async function take(leases: LeaseKeeper, payer: Payer, holdRange: HoldRange): Promise<Taken> {
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
