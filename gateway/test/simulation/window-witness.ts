import { windowRoutes } from '@tollgate/contract'
import * as z from 'zod'

import type { ChargeRecord } from '../../src/billing/ledger/charge/charge-record'
import type { Hold } from '../../src/billing/ledger/ledger'
import type { HeldReservation } from '../../src/billing/ledger/lease/reservations'
import type { LimitWindow } from '../../src/billing/ledger/window/limit-window'
import type { Committed, HoldRow, PeriodRow, WindowLimitRow } from './committed'
import { must } from './law'
import type { Part } from './submitted'
import { heldFor, usedBy } from './windows'

const HeldParts = z.array(
  z.strictObject({ period: z.int(), measure: z.enum(windowRoutes.windowMeasures), amount: z.int() }),
)

interface Draw {
  readonly drawn: number
  /** How far below zero the period may be with it: what was used beyond what was held. */
  readonly allowance: number
}

/** Keeps the books of the periods of windows apart from the ledger. */
export class WindowWitness {
  readonly #drawn = new Map<number, Draw>()
  #windows: ReadonlyMap<number, WindowLimitRow> = new Map()
  #periods: ReadonlyMap<number, PeriodRow> = new Map()

  freeOf(periodId: number): number | undefined {
    return this.#periods.get(periodId)?.free
  }

  /** A charge was applied. */
  draw(periodId: number, { drawn, allowance }: Draw): void {
    const before = this.#drawn.get(periodId) ?? { drawn: 0, allowance: 0 }
    this.#drawn.set(periodId, { drawn: before.drawn + drawn, allowance: before.allowance + allowance })
  }

  /** Compares the periods with what was leased, held and drawn, after the charges of a commit were noted. */
  observe(committed: Committed): void {
    const { windows, periods, leases, holds } = committed
    for (const period of periods.values()) {
      const before = this.#periods.get(period.id)
      if (before?.capacity !== period.capacity) this.#checkCapacity(period, windows)
      if (!before) checkApart(period, periods)
      else if (before.capacity > period.capacity)
        this.draw(period.id, { drawn: 0, allowance: before.capacity - period.capacity })
    }
    this.#windows = windows
    this.#periods = periods
    const taken = new Map<number, number>()
    const add = (id: number, amount: number) => taken.set(id, (taken.get(id) ?? 0) + amount)
    for (const { kind, ref_id: id, amount } of leases.values()) if (kind === 'window') add(id, amount)
    for (const hold of holds.values()) for (const { period, amount } of heldParts(hold)) add(period, amount)
    for (const period of periods.values()) this.#checkPeriod(period, taken.get(period.id) ?? 0)
  }

  /**
   * Throws unless a hold takes from every window of its payer what its work may use, all of it free before. Returns what its charge
   * draws from them.
   */
  partsOfHold(hold: HoldRow, requested: Pick<Hold, 'payer' | 'amount' | 'tokens'>, record: ChargeRecord): Part[] {
    const { payer, amount, tokens = { prompt: 0, completion: 0 } } = requested
    const held = heldParts(hold)
    this.#checkAll(
      payer.windows,
      held.map(({ period }) => period),
      hold.id,
    )
    return held.map(({ period, measure, amount: taken }) => {
      const free = this.#periods.get(period)?.free ?? -1
      must(free >= 0, 'a hold is covered by what was free of its windows', () => [hold, free])
      const isMeasured = taken === heldFor(measure, amount, tokens)
      must(isMeasured, 'a hold takes what its work may use', () => [hold, requested])
      const cost = usedBy(measure, record)
      const lease = `hold:window:${period}:${hold.id}`
      return { kind: 'window', refId: period, lease, cost, excess: Math.max(0, cost - taken) }
    })
  }

  /** Throws unless a call that began at a time holds of every window of its payer, and of no period that had ended. */
  checkHeld({ requestId, payer, windows }: HeldReservation, startedAt: number | null): void {
    const held = windows.all.map(({ lease }) => lease.key.refId)
    this.#checkAll(payer.windows, held, requestId)
    if (startedAt === null) return
    for (const id of held) {
      const period = this.#periods.get(id)
      must(period !== undefined && period.ends_at > startedAt, 'no call begins in a period that has ended', () => [
        requestId,
        period,
        startedAt,
      ])
    }
  }

  #checkAll(windows: readonly LimitWindow[] = [], periodIds: readonly number[], what: string): void {
    const periods = periodIds.map((id) => this.#periods.get(id))
    for (const { id, subjectId } of windows) {
      if (!this.#windows.has(id)) continue
      const drawn = periods.filter((period) => period?.window_id === id && period.subject_id === subjectId)
      must(drawn.length === 1, 'a call draws once from every window', () => [what, id, periods])
    }
  }

  /** What a period may give at most is what its window says; once the window is gone it stays. */
  #checkCapacity(period: PeriodRow, windows: ReadonlyMap<number, WindowLimitRow>): void {
    const window = windows.get(period.window_id)
    const expected = window && window.limit_amount + Math.floor((window.limit_amount * window.grace_percent) / 100)
    must(period.capacity === expected, 'a period has the limit of its window', () => [period, window])
  }

  #checkPeriod(period: PeriodRow, taken: number): void {
    const { drawn, allowance } = this.#drawn.get(period.id) ?? { drawn: 0, allowance: 0 }
    const facts = () => [period, { taken, drawn, allowance }]
    must(period.free + taken + drawn === period.capacity, 'free + leased + held + drawn = the limit of a period', facts)
    must(period.free + taken >= -allowance, 'a period is exceeded by excess alone', facts)
  }
}

const heldParts = ({ windows }: HoldRow) => (windows === '' ? [] : HeldParts.parse(JSON.parse(windows)))

function checkApart(period: PeriodRow, periods: ReadonlyMap<number, PeriodRow>): void {
  must(period.starts_at < period.ends_at, 'a period ends after it begins', () => period)
  for (const other of periods.values()) {
    if (other.id === period.id || other.window_id !== period.window_id || other.subject_id !== period.subject_id)
      continue
    const isApart = other.ends_at <= period.starts_at || period.ends_at <= other.starts_at
    must(isApart, 'periods of a window do not overlap', () => [period, other])
  }
}
