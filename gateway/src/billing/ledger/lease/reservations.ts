import type { Logger } from 'pino'

import { AppError } from '../../../platform/app-error'
import type { Clock } from '../../../platform/time/clock'
import type { LeaseKeeper } from './lease-keeper'
import type { Ledger, Payer, Reservation } from '../ledger'
import { HeldReservation, type HeldFrom } from './reservation'
import { take, takeNow } from './take-from-leases'
import type { HoldRange } from './want'

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
