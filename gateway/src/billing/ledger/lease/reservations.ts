import type { Logger } from 'pino'

import { AppError } from '../../../platform/app-error'
import type { Clock } from '../../../platform/time/clock'
import type { LeaseKeeper } from './lease-keeper'
import type { HoldRange, Ledger, Payer, Reservation } from '../ledger'
import type { Lease } from './lease'
import type { Grant, RefusalOf } from './waiting-calls'
import { countHeld, maxCountHeld } from '../window/draws'
import { leasedWindow, LeasedWindows, noWindows, type LeasedWindow } from '../window/leased-windows'
import type { WindowLeases } from '../window/window-leases'

export interface ReservationsOptions {
  readonly leases: LeaseKeeper
  readonly windows: WindowLeases
  readonly clock: Clock
  readonly log: Logger
  /** Whether calls may begin. */
  readonly isUsable: (now: number) => boolean
}

/** Reservations of calls, cut from this worker's leases. */
export interface Reservations extends Pick<Ledger, 'reserve' | 'reserveNow' | 'extend' | 'release'> {
  /** Ends a reservation, which stays to be charged. Null for one that has ended already, or that is not of this ledger. */
  end(reservation: Reservation, how: string): HeldReservation | null
}

export function createReservations(options: ReservationsOptions): Reservations {
  const { clock, log, isUsable } = options

  function reserveNow(requestId: string, payer: Payer, holdRange: HoldRange): Reservation | null {
    checkRange(holdRange)
    const now = clock.monotonic()
    const taken = isUsable(now) ? takeNow(options, payer, holdRange, now) : null
    return taken && new HeldReservation(requestId, payer, taken)
  }

  async function reserve(requestId: string, payer: Payer, amountOrRange: number | HoldRange): Promise<Reservation> {
    const holdRange = typeof amountOrRange === 'number' ? { max: amountOrRange, min: amountOrRange } : amountOrRange
    checkRange(holdRange)
    const now = clock.monotonic()
    if (!isUsable(now)) throw new AppError('ledger.unavailable')
    const taken = takeNow(options, payer, holdRange, now) ?? (await take(options, payer, holdRange))
    return new HeldReservation(requestId, payer, taken)
  }

  function extend(reservation: Reservation, holdRange: HoldRange): number | Promise<number> {
    checkRange(holdRange)
    const now = clock.monotonic()
    if (!(reservation instanceof HeldReservation) || !reservation.isOpen || !isUsable(now)) return 0
    if (takeMoreNow(reservation, holdRange.max, now)) {
      reservation.grow(holdRange.max)
      return holdRange.max
    }
    return takeMore(reservation, holdRange).then(
      (amount) => {
        if (reservation.isOpen) {
          reservation.grow(amount)
          return amount
        }
        for (const lease of quotaLeases(reservation)) lease.book.release(amount)
        return 0
      },
      () => 0,
    )
  }

  function end(reservation: Reservation, how: string): HeldReservation | null {
    if (reservation instanceof HeldReservation && reservation.end()) return reservation
    log.warn({ requestId: reservation.requestId, how }, 'a reservation that is not open was ended')
    return null
  }

  return {
    reserve,
    reserveNow,
    extend,
    end,
    release(reservation) {
      const held = end(reservation, 'release')
      if (held) giveUp(held)
    },
  }
}

/** Returns to its leases what was reserved, at no cost. */
export function giveUp(held: HeldReservation): void {
  const { user, token, windows, ofAttempt, amount } = held
  user?.book.release(amount)
  token?.book.release(amount)
  for (const [index, { lease }] of windows.all.entries()) lease.book.release(held.heldOfWindow(index))
  for (const { lease, count } of ofAttempt) lease.book.release(count)
}

export const isAmount = (amount: number): boolean => Number.isSafeInteger(amount) && amount >= 0

function checkRange({ max, min }: HoldRange): void {
  if (!isAmount(max) || !isAmount(min) || min > max) throw new RangeError(`Not an amount of quota: ${min} to ${max}`)
}

/** What an attempt holds of a window of its channel or key. */
export interface HeldByAttempt extends LeasedWindow {
  readonly count: number
}

interface HeldFrom extends Grant {
  /** Null where a plan pays. */
  readonly user: Lease | null
  readonly token: Lease | null
  readonly windows: LeasedWindows
  readonly tokens: HoldRange['tokens']
  /** What is held of each window, where that is less than the most; quota is held as of the balances. Null: the most. */
  readonly counts: readonly number[] | null
}

const noneOfAttempt: readonly HeldByAttempt[] = []

/** A reservation that knows which leases carry it, and ends once. */
export class HeldReservation implements Reservation, HeldFrom {
  readonly user: Lease | null
  readonly token: Lease | null
  readonly windows: LeasedWindows
  readonly tokens: HoldRange['tokens']
  readonly counts: readonly number[] | null
  readonly spendable: number | null
  #ofAttempt = noneOfAttempt
  #amount: number
  #isOpen = true

  constructor(
    readonly requestId: string,
    readonly payer: Payer,
    { user, token, windows, tokens, counts, amount, spendable }: HeldFrom,
  ) {
    this.user = user
    this.token = token
    this.windows = windows
    this.tokens = tokens
    this.counts = counts
    this.spendable = spendable
    this.#amount = amount
  }

  get amount(): number {
    return this.#amount
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** What its present attempt holds of the windows of its channel and key. */
  get ofAttempt(): readonly HeldByAttempt[] {
    return this.#ofAttempt
  }

  /** Returns what it holds of a window of its caller. */
  heldOfWindow(index: number): number {
    const measure = this.windows.all[index]?.measure ?? 'quota'
    if (measure === 'quota') return this.#amount
    return this.counts?.[index] ?? maxCountHeld(measure, this.tokens)
  }

  /** Takes over what an attempt holds; false when it has ended already. */
  attach(held: readonly HeldByAttempt[]): boolean {
    if (this.#isOpen) this.#ofAttempt = held
    return this.#isOpen
  }

  /** Returns what an attempt that failed holds, to give it back; nothing when it has ended already. */
  detach(): readonly HeldByAttempt[] {
    const held = this.#isOpen ? this.#ofAttempt : noneOfAttempt
    if (this.#isOpen) this.#ofAttempt = noneOfAttempt
    return held
  }

  /** Takes over what was reserved from the same leases for more of this call. */
  grow(amount: number): void {
    this.user?.book.merge()
    this.token?.book.merge()
    for (const { measure, lease } of this.windows.all) if (measure === 'quota') lease.book.merge()
    this.#amount += amount
  }

  /** Ends it. Returns false from the second time on. */
  end(): boolean {
    const wasOpen = this.#isOpen
    this.#isOpen = false
    return wasOpen
  }
}

/** Returns the leases of which a call holds the same quota: those of its balances and of its windows of quota. */
const quotaLeases = ({ user, token, windows }: Pick<HeldFrom, 'user' | 'token' | 'windows'>): Lease[] => [
  ...(user ? [user] : []),
  ...(token ? [token] : []),
  ...windows.all.filter(({ measure }) => measure === 'quota').map(({ lease }) => lease),
]

/** Reserves from what this worker has leased; null when that does not cover it. */
function takeNow(options: ReservationsOptions, payer: Payer, holdRange: HoldRange, now: number): HeldFrom | null {
  const user = walletOf(options.leases, payer)
  const token = tokenOf(options.leases, payer)
  const { max } = holdRange
  if ((user && !user.covers(max)) || (token && !token.covers(max))) return null
  const windows = payer.windows ? options.windows.allInMemory(payer.windows, options.clock.seconds()) : noWindows
  if (windows === null) return null
  if (payer.windows && !windows.cover(holdRange)) {
    options.windows.forget(payer.windows)
    return null
  }
  user?.reserve(max, now)
  token?.reserve(max, now)
  windows.reserve(holdRange, now)
  return { user, token, windows, tokens: holdRange.tokens, counts: null, amount: max, spendable: null }
}

/** Reserves more of the leases of a reservation; false when this worker has not leased enough. */
function takeMoreNow(held: HeldReservation, amount: number, now: number): boolean {
  const { user, token, windows } = held
  if ((user && !user.covers(amount)) || (token && !token.covers(amount))) return false
  if (!windows.coverQuota(amount)) return false
  user?.reserve(amount, now)
  token?.reserve(amount, now)
  windows.reserveQuota(amount, now)
  return true
}

export const noUserQuota: RefusalOf = (_, need) => new AppError('quota.user', { params: { need } })
/** A key may know what it has left itself, not what its owner has. */
export const noTokenQuota: RefusalOf = (balance, need) => new AppError('quota.token', { params: { balance, need } })

/**
 * Reserves as soon as the balances and windows are leased, the same amount of all that are quota.
 * @throws AppError `quota.user`, `quota.token`, `quota.window`, `ledger.unavailable`.
 */
async function take(options: ReservationsOptions, payer: Payer, holdRange: HoldRange): Promise<HeldFrom> {
  const { leases } = options
  const taking = new Taking(holdRange)
  const windows: LeasedWindow[] = []
  const counts: number[] = []
  try {
    const user = walletOf(leases, payer)
    if (user) await taking.acquire(user, noUserQuota)
    // Each is looked up when it is its turn: while the call waits, an unused lease may be dropped and replaced by another.
    const token = tokenOf(leases, payer)
    if (token) await taking.acquire(token, noTokenQuota)
    for (const window of payer.windows ?? []) {
      const found = await options.windows.find(window)
      if (!found) continue
      const { refusalOf } = found
      const lease = leases.window(found.periodId)
      const { measure } = window
      if (measure === 'quota') {
        await taking.acquire(lease, refusalOf)
        counts.push(0)
      } else counts.push((await lease.acquire(countHeld(measure, holdRange), refusalOf)).amount)
      windows.push(leasedWindow(lease, measure, false))
    }
    const { tokens } = holdRange
    return { user, token, windows: new LeasedWindows(windows), tokens, counts, ...taking.grant }
  } catch (error) {
    taking.giveUp()
    for (const [index, { lease, measure }] of windows.entries())
      if (measure !== 'quota') lease.book.release(counts[index] ?? 0)
    throw error
  }
}

/** @throws AppError as `take`. */
async function takeMore(held: HeldReservation, holdRange: HoldRange): Promise<number> {
  const taking = new Taking(holdRange)
  try {
    for (const lease of quotaLeases(held)) await taking.acquire(lease, noUserQuota)
    return taking.grant.amount
  } catch (error) {
    taking.giveUp()
    throw error
  }
}

/** Reserves the same quota of several leases, one after the other: what one cannot give, the others get back. */
class Taking {
  readonly #leases: Lease[] = []
  #grant: Grant

  constructor(readonly holdRange: HoldRange) {
    this.#grant = { amount: holdRange.max, spendable: null }
  }

  get grant(): Grant {
    return this.#grant
  }

  /** @throws AppError of `refusalOf`, `ledger.unavailable`. */
  async acquire(lease: Lease, refusalOf: RefusalOf): Promise<void> {
    const { amount, spendable } = this.#grant
    const next = await lease.acquire({ ...this.holdRange, max: amount }, refusalOf)
    for (const { book } of this.#leases) book.reduce(amount - next.amount)
    this.#leases.push(lease)
    this.#grant = { amount: next.amount, spendable: lesser(spendable, next.spendable) }
  }

  giveUp(): void {
    for (const { book } of this.#leases) book.release(this.#grant.amount)
  }
}

const walletOf = (leases: LeaseKeeper, payer: Payer): Lease | null =>
  payer.subscriptionId === undefined ? leases.user(payer.userId) : null

const tokenOf = (leases: LeaseKeeper, payer: Payer): Lease | null =>
  payer.isTokenLimited ? leases.token(payer.tokenId) : null

const lesser = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)
