import { channelNumbers } from '@tollgate/contract'

import type { Channel } from '../catalog/catalog'
import type { Time, Timers } from '../../platform/time/timers'
import { Semaphore } from './semaphore'
import type { SlotRefusal } from '../../platform/telemetry/metrics/outcomes'

/** A place among the concurrent calls of a channel. */
export interface Slot {
  /** Called when the upstream is done with the call. A second time it does nothing. */
  release(): void
}

/** Thrown for a call that got no slot. */
export class NoSlotError extends Error {
  override readonly name = 'NoSlotError'
  constructor(
    readonly why: SlotRefusal,
    /** Seconds until the calls that wait now are let in or gone. */
    readonly retryAfterSeconds: number,
  ) {
    super(`No slot: ${why}`)
  }
}

export interface Wait {
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  /** Monotonic time at which the total timeout of the call ends. */
  readonly deadline: number
}

export type Capped = Pick<Channel, 'id' | 'setting'>

/** Calls at one channel. */
interface Occupancy {
  readonly inside: number
  readonly waiting: number
}

/** Returns the concurrency cap of a channel; 0: none. */
export const capOf = ({ setting }: Pick<Capped, 'setting'>): number =>
  setting.max_concurrency ?? channelNumbers.max_concurrency.otherwise
export const maxWaitingOf = ({ setting }: Capped): number => setting.max_waiting ?? channelNumbers.max_waiting.otherwise
export const maxWaitSecondsOf = ({ setting }: Capped): number =>
  setting.max_wait_seconds ?? channelNumbers.max_wait_seconds.otherwise

/** What calls in flight are compared with where a channel has no cap. */
const assumedCap = 100

/** A slot of a channel without a cap: only counted. */
class CountedSlot implements Slot {
  #isOver = false

  constructor(private readonly calls: { inside: number }) {
    calls.inside += 1
  }

  release(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.calls.inside -= 1
  }
}

/** Counts this worker's calls at each channel, and queues them where a channel has a cap. Workers do not share slots. */
export class Slots {
  readonly #time: Time
  /** By channel, while a call is inside or waiting. */
  readonly #semaphores = new Map<number, Semaphore>()
  /** Calls at channels without a cap. */
  readonly #uncapped = new Map<number, { inside: number }>()

  constructor(time: Time) {
    this.#time = time
  }

  /** Returns whether a call would get a slot at once. */
  isFree(channel: Capped): boolean {
    const cap = capOf(channel)
    if (cap === 0) return true
    const semaphore = this.#semaphores.get(channel.id)
    return !semaphore || (semaphore.inside < cap && semaphore.waiting === 0)
  }

  /** Returns whether a call would get a slot, or a place in the queue. */
  hasRoom(channel: Capped): boolean {
    if (this.isFree(channel)) return true
    const waiting = this.#semaphores.get(channel.id)?.waiting ?? 0
    return maxWaitSecondsOf(channel) > 0 && waiting < maxWaitingOf(channel)
  }

  /** Returns the part of a channel's slots that is free, 0 to 1; a channel without a cap counts as one of 100 calls. */
  roomAt(channel: Capped): number {
    const cap = capOf(channel)
    const inside = cap === 0 ? this.#uncapped.get(channel.id)?.inside : this.#semaphores.get(channel.id)?.inside
    return Math.max(0, 1 - (inside ?? 0) / (cap === 0 ? assumedCap : cap))
  }

  /** Returns a slot if there is one at once; null where the call would have to wait. */
  enterNow(channel: Capped): Slot | null {
    const cap = capOf(channel)
    if (cap === 0) return new CountedSlot(this.#uncappedAt(channel))
    const semaphore = this.#semaphoreOf(channel, cap)
    return semaphore.take() ? this.#slotIn(semaphore, channel.id) : null
  }

  /**
   * Resolves with a slot, at once if there is one, otherwise when it is the call's turn.
   * @throws NoSlotError
   */
  async enter(channel: Capped, wait: Wait): Promise<Slot> {
    return this.enterNow(channel) ?? this.#waitIn(this.#semaphoreOf(channel, capOf(channel)), channel, wait)
  }

  /** Returns the channels with calls in flight, with or without a cap. */
  listOccupied(): ReadonlyMap<number, Occupancy> {
    const found = new Map<number, Occupancy>()
    for (const [id, { inside }] of this.#uncapped) if (inside > 0) found.set(id, { inside, waiting: 0 })
    for (const [id, { inside, waiting }] of this.#semaphores)
      found.set(id, { inside: inside + (found.get(id)?.inside ?? 0), waiting })
    return found
  }

  /** The calls inside of all channels with a cap. */
  get inside(): number {
    return this.#sum('inside')
  }

  /** The calls that wait for a slot. */
  get waiting(): number {
    return this.#sum('waiting')
  }

  #sum(part: 'inside' | 'waiting'): number {
    let total = 0
    for (const semaphore of this.#semaphores.values()) total += semaphore[part]
    return total
  }

  #uncappedAt({ id }: Capped): { inside: number } {
    const known = this.#uncapped.get(id)
    if (known) return known
    const calls = { inside: 0 }
    this.#uncapped.set(id, calls)
    return calls
  }

  #semaphoreOf({ id }: Capped, cap: number): Semaphore {
    const known = this.#semaphores.get(id)
    if (known) {
      known.resize(cap)
      return known
    }
    const semaphore = new Semaphore(cap)
    this.#semaphores.set(id, semaphore)
    return semaphore
  }

  #slotIn(semaphore: Semaphore, id: number): Slot {
    let isOver = false
    return {
      release: () => {
        if (isOver) return
        isOver = true
        semaphore.leave()
        if (semaphore.inside === 0) this.#semaphores.delete(id)
      },
    }
  }

  async #waitIn(semaphore: Semaphore, channel: Capped, { signal, deadline }: Wait): Promise<Slot> {
    const { clock, timers } = this.#time
    const seconds = maxWaitSecondsOf(channel)
    const refusalOf = (why: SlotRefusal) => new NoSlotError(why, Math.max(1, seconds))
    if (signal.aborted) throw refusalOf('gone')
    if (seconds === 0 || semaphore.waiting >= maxWaitingOf(channel)) throw refusalOf('full')
    const maxMs = Math.min(seconds * 1000, deadline - clock.monotonic())
    await waitForTurn(semaphore, signal, { timers, maxMs }, refusalOf)
    return this.#slotIn(semaphore, channel.id)
  }
}

/** Resolves when it is the call's turn. */
export function waitForTurn(
  semaphore: Semaphore,
  signal: AbortSignal,
  { timers, maxMs }: { readonly timers: Timers; readonly maxMs: number },
  refusalOf: (why: SlotRefusal) => NoSlotError,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', onAbort)
    }
    const leaveLine = semaphore.join(() => {
      end()
      resolve()
    })
    const refuse = (why: SlotRefusal) => {
      leaveLine()
      end()
      reject(refusalOf(why))
    }
    const onAbort = () => refuse('gone')
    const cancel = timers.after(Math.max(1, maxMs), () => refuse('late'))
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
