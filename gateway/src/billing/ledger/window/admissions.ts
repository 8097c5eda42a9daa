import { AppError } from '../../../platform/app-error'
import { lruCache } from '../../../platform/lru-cache'
import type { Clock } from '../../../platform/time/clock'
import type { Lease } from '../lease/lease'
import type { LeaseKeeper } from '../lease/lease-keeper'
import { HeldReservation, type HeldByAttempt } from '../lease/reservations'
import type { Admission, AttemptRange, FullWindow, Ledger, Reservation } from '../ledger'
import { attemptHeld } from './draws'
import { leasedWindow } from './leased-windows'
import type { LimitWindow } from './limit-window'
import type { WindowLeases } from './window-leases'
import { freeAgainAt, WindowError } from './window-refusal'

export interface AdmissionsOptions {
  readonly leases: LeaseKeeper
  readonly windows: WindowLeases
  readonly clock: Clock
}

/** A window that was found full is not asked again this long, unless this worker gives something back. */
const fullMs = 1000
const maxRemembered = 10_000

interface Remembered {
  readonly full: FullWindow
  /** The least that did not fit. */
  readonly need: number
  /** Monotonic milliseconds. */
  readonly until: number
}

type Held = readonly HeldByAttempt[]

/** Admits attempts to the windows of channels and their keys, from this worker's leases. No attempt waits for other workers: it has other channels. */
export class Admissions implements Pick<Ledger, 'admit' | 'draw' | 'fullWindow'> {
  readonly #remembered = lruCache<string, Remembered>(maxRemembered)

  constructor(readonly options: AdmissionsOptions) {}

  readonly fullWindow: Ledger['fullWindow'] = (windows) => {
    if (this.#remembered.size === 0) return null
    const { clock } = this.options
    const [now, seconds] = [clock.monotonic(), clock.seconds()]
    for (const window of windows) {
      const found = this.#remembered.get(window.account)
      if (!found || now >= found.until || seconds >= (found.full.freeAt ?? Infinity)) continue
      if (!this.#covers(window, found.need, seconds)) return found.full
    }
    return null
  }

  #covers(window: LimitWindow, need: number, seconds: number): boolean {
    const lease = this.options.windows.inMemory(window, seconds)
    return lease === null || lease?.covers(need) === true
  }

  readonly admit: Ledger['admit'] = async (reservation, windows, range) => {
    const held: HeldByAttempt[] = []
    for (const window of windows) {
      const taken = await this.#take(window, range)
      if (taken && 'kind' in taken) {
        giveBack(held)
        return taken
      }
      if (taken) held.push(taken)
    }
    return admissionOf(reservation, held)
  }

  readonly draw: Ledger['draw'] = async (reservation, windows, range) => {
    const held: HeldByAttempt[] = []
    for (const window of windows) {
      const taken = window.measure === 'concurrent' ? null : await this.#take(window, range)
      const drawn = taken && 'kind' in taken ? this.#overdraw(window) : taken
      if (drawn) held.push(drawn)
    }
    if (!(reservation instanceof HeldReservation) || !reservation.attach(held)) giveBack(held)
  }

  /** Resolves with what an attempt holds of a window, or that it has no room; null where it does not draw from it. */
  async #take(window: LimitWindow, attemptRange: AttemptRange): Promise<HeldByAttempt | FullWindow | null> {
    const { measure } = window
    const range = attemptHeld(measure, attemptRange)
    if (range === null) return null
    try {
      const found = await this.options.windows.find(window)
      if (!found) return null
      const lease = this.options.leases.window(found.periodId)
      const { amount } = await lease.acquire(range, found.refusalOf, false)
      return { ...leasedWindow(lease, measure, true), count: amount }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return this.#remember(window, range.min, error)
    }
  }

  /** Returns a share of a full window: what the call draws goes beyond it. */
  #overdraw(window: LimitWindow): HeldByAttempt | null {
    const { windows, clock } = this.options
    const lease = windows.inMemory(window, clock.seconds())
    lease?.reserve(0, clock.monotonic())
    return lease ? { ...leasedWindow(lease, window.measure, true), count: 0 } : null
  }

  #remember(window: LimitWindow, need: number, error: AppError): FullWindow {
    const { clock } = this.options
    const now = clock.seconds()
    const freeAt = error instanceof WindowError ? freeAgainAt(window, error.period, now) : now + 1
    const full: FullWindow = { kind: 'full', window, freeAt }
    this.#remembered.set(window.account, { full, need, until: clock.monotonic() + fullMs })
    return full
  }
}

function giveBack(held: Held): void {
  for (const { lease, count } of held) lease.book.release(count)
}

/** Returns the admission of an attempt: what it draws stands in its reservation, which ends once. */
function admissionOf(reservation: Reservation, held: Held): Admission {
  const inside = held.filter(({ measure }) => measure === 'concurrent').map(({ lease }) => lease)
  const drawn = held.filter(({ measure }) => measure !== 'concurrent')
  if (!(reservation instanceof HeldReservation) || !reservation.attach(drawn)) giveBack(drawn)
  let places: readonly Lease[] = inside
  const leave = () => {
    for (const { book } of places) book.release(1)
    places = []
  }
  return {
    kind: 'admitted',
    leave,
    async withdraw() {
      leave()
      if (reservation instanceof HeldReservation) giveBack(reservation.detach())
    },
  }
}
