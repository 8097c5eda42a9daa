import type { Clock } from '../time/clock'
import type { BatchSource } from './batch-queue'

/** Why items were given up: too many or too large ones wait, one has waited for too long, or the process ends. */
export const dropReasons = ['full', 'late', 'closed'] as const
export type DropReason = (typeof dropReasons)[number]

export interface WaitingListOptions<T> {
  /** Limits of all items, including those being written. The oldest are dropped for new ones. */
  readonly maxEntries?: number
  readonly maxBytes?: number
  /** Limit of one batch; a larger item is written alone. */
  readonly batchBytes?: number
  readonly bytesOf?: (item: T) => number
  /** How long items may wait while writes fail. */
  readonly age?: { readonly maxMs: number; readonly clock: Pick<Clock, 'monotonic'> }
  readonly onDropped: (items: readonly T[], reason: DropReason) => void
}

interface Waiting<T> {
  readonly item: T
  readonly bytes: number
  readonly since: number
}

/** Items that wait in memory for a `BatchQueue`. */
export class WaitingList<T> implements BatchSource<T> {
  #waiting: Waiting<T>[] = []
  /** Being written. */
  #taken: Waiting<T>[] = []
  #bytes = 0
  #isClosed = false

  constructor(readonly options: WaitingListOptions<T>) {}

  get length(): number {
    return this.#waiting.length + this.#taken.length
  }
  get bytes(): number {
    return this.#bytes
  }

  add(item: T): void {
    const { maxEntries = Infinity, maxBytes = Infinity, bytesOf, age, onDropped } = this.options
    if (this.#isClosed) return onDropped([item], 'closed')
    const bytes = bytesOf ? bytesOf(item) : 0
    this.#waiting.push({ item, bytes, since: age ? age.clock.monotonic() : 0 })
    this.#bytes += bytes
    while (this.#waiting.length > 0 && (this.length > maxEntries || this.#bytes > maxBytes))
      this.#drop(this.#waiting.splice(0, 1), 'full')
  }

  take(limit: number): readonly T[] {
    const { batchBytes } = this.options
    this.#taken = this.#waiting.splice(0, batchBytes === undefined ? limit : this.#countWithin(limit, batchBytes))
    return this.#taken.map(({ item }) => item)
  }

  onWritten(): void {
    for (const { bytes } of this.#taken) this.#bytes -= bytes
    this.#taken = []
  }

  onRefused(): void {
    if (this.#taken.length === 1) this.#waiting.push(...this.#taken)
    else this.#waiting.unshift(...this.#taken)
    this.#taken = []
  }

  dropLate(): void {
    const { age } = this.options
    if (!age) return
    const latest = age.clock.monotonic() - age.maxMs
    // One that was refused alone stands behind younger ones.
    const late = this.#waiting.filter(({ since }) => since <= latest)
    if (late.length === 0) return
    this.#waiting = this.#waiting.filter(({ since }) => since > latest)
    this.#drop(late, 'late')
  }

  dropAll(): void {
    this.#isClosed = true
    const all = [...this.#taken, ...this.#waiting]
    this.#taken = []
    this.#waiting = []
    this.#drop(all, 'closed')
  }

  #countWithin(limit: number, batchBytes: number): number {
    let count = 0
    let bytes = 0
    for (const waiting of this.#waiting) {
      bytes += waiting.bytes
      if (count >= limit || (count > 0 && bytes > batchBytes)) break
      count += 1
    }
    return count
  }

  #drop(dropped: readonly Waiting<T>[], reason: DropReason): void {
    if (dropped.length === 0) return
    for (const { bytes } of dropped) this.#bytes -= bytes
    this.options.onDropped(
      dropped.map(({ item }) => item),
      reason,
    )
  }
}
