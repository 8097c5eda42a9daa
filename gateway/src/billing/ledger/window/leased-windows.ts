import type { Lease } from '../lease/lease'
import type { HoldRange } from '../ledger'
import { drawKind, maxCountHeld, type DrawKind } from './draws'
import type { LimitWindow } from './limit-window'
import { nameOfDraws } from './named-draws'

/** A window of which this worker has a lease. */
export interface LeasedWindow {
  readonly lease: Lease
  readonly measure: LimitWindow['measure']
  /** What charges draw from it. */
  readonly draws: DrawKind
}

export const leasedWindow = (lease: Lease, measure: LimitWindow['measure'], isOfChannel: boolean): LeasedWindow => ({
  lease,
  measure,
  draws: drawKind(measure, isOfChannel),
})

/** The leases of all windows of a caller, found once for all calls until one of their periods ends. */
export class LeasedWindows {
  /** As journals name them. */
  readonly names: readonly string[]

  constructor(readonly all: readonly LeasedWindow[]) {
    this.names = namesOf(all)
  }

  /** Returns whether memory covers the most of a call. */
  cover(range: HoldRange): boolean {
    for (const { lease, measure } of this.all) if (!lease.covers(maxHeld(measure, range))) return false
    return true
  }

  reserve(range: HoldRange, now: number): void {
    for (const { lease, measure } of this.all) lease.reserve(maxHeld(measure, range), now)
  }

  /** Returns whether memory covers more quota for a call in progress. */
  coverQuota(amount: number): boolean {
    for (const { lease, measure } of this.all) if (measure === 'quota' && !lease.covers(amount)) return false
    return true
  }

  reserveQuota(amount: number, now: number): void {
    for (const { lease, measure } of this.all) if (measure === 'quota') lease.reserve(amount, now)
  }
}

export const noWindows = new LeasedWindows([])

const maxHeld = (measure: LimitWindow['measure'], range: HoldRange): number =>
  measure === 'quota' ? range.max : maxCountHeld(measure, range.tokens)

/** Returns a name for each series of leases: they have the same one, but for calls during which the worker lost its leases. */
export function namesOf(windows: readonly LeasedWindow[]): string[] {
  const bySeries = Map.groupBy(windows, ({ lease }) => lease.key.series)
  return [...bySeries].map(([series, some]) =>
    nameOfDraws(
      series,
      some.map(({ lease, draws }) => ({ period: lease.key.refId, kind: draws })),
    ),
  )
}
