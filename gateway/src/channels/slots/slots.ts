import { channelNumbers } from '@tollgate/contract'

import type { Channel } from '../catalog/catalog'
import type { Time, Timers } from '../../platform/time/timers'
import { createSemaphore, type Semaphore } from './semaphore'
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

interface Wait {
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  /** Monotonic time at which the total timeout of the call ends. */
  readonly deadline: number
}

type Capped = Pick<Channel, 'id' | 'setting'>

/** Calls at one channel. */
interface Occupancy {
  readonly inside: number
  readonly waiting: number
}

/** Counts this worker's calls at each channel, and queues them where a channel has a cap. */
export interface Slots {
  /** Returns whether a call would get a slot at once. */
  isFree(channel: Capped): boolean
  /** Returns whether a call would get a slot, or a place in the queue. */
  hasRoom(channel: Capped): boolean
  /** Returns a slot if there is one at once; null where the call would have to wait. */
  enterNow(channel: Capped): Slot | null
  /**
   * Resolves with a slot, at once if there is one, otherwise when it is the call's turn.
   * @throws NoSlotError
   */
  enter(channel: Capped, wait: Wait): Promise<Slot>
  /** Returns the channels with calls in flight, with or without a cap. */
  occupied(): ReadonlyMap<number, Occupancy>
  /** Sums over all channels with a cap. */
  readonly inside: number
  readonly waiting: number
}

/** Returns the concurrency cap of a channel; 0: none. */
export const capOf = ({ setting }: Pick<Capped, 'setting'>): number =>
  setting.max_concurrency ?? channelNumbers.max_concurrency.otherwise
const lineOf = ({ setting }: Capped): number => setting.max_waiting ?? channelNumbers.max_waiting.otherwise
const patienceOf = ({ setting }: Capped): number =>
  setting.max_wait_seconds ?? channelNumbers.max_wait_seconds.otherwise

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

/** Creates the slots of one worker; workers do not share them. */
export function createSlots({ clock, timers }: Time): Slots {
  /** By channel, while a call is inside or waiting. */
  const semaphores = new Map<number, Semaphore>()
  /** Calls at channels without a cap. */
  const uncapped = new Map<number, { inside: number }>()

  function uncappedAt({ id }: Capped): { inside: number } {
    const known = uncapped.get(id)
    if (known) return known
    const calls = { inside: 0 }
    uncapped.set(id, calls)
    return calls
  }

  function semaphoreOf({ id }: Capped, cap: number): Semaphore {
    const known = semaphores.get(id)
    if (known) {
      known.resize(cap)
      return known
    }
    const semaphore = createSemaphore(cap)
    semaphores.set(id, semaphore)
    return semaphore
  }

  function slotIn(semaphore: Semaphore, id: number): Slot {
    let isOver = false
    return {
      release() {
        if (isOver) return
        isOver = true
        semaphore.leave()
        if (semaphore.inside === 0) semaphores.delete(id)
      },
    }
  }

  async function waitIn(semaphore: Semaphore, channel: Capped, { signal, deadline }: Wait): Promise<Slot> {
    const seconds = patienceOf(channel)
    const refused = (why: SlotRefusal) => new NoSlotError(why, Math.max(1, seconds))
    if (signal.aborted) throw refused('gone')
    if (seconds === 0 || semaphore.waiting >= lineOf(channel)) throw refused('full')
    const mostMs = Math.min(seconds * 1000, deadline - clock.monotonic())
    await waitForTurn(semaphore, signal, { timers, mostMs }, refused)
    return slotIn(semaphore, channel.id)
  }

  const sum = (part: 'inside' | 'waiting') => {
    let total = 0
    for (const semaphore of semaphores.values()) total += semaphore[part]
    return total
  }

  return {
    isFree(channel) {
      const cap = capOf(channel)
      if (cap === 0) return true
      const semaphore = semaphores.get(channel.id)
      return !semaphore || (semaphore.inside < cap && semaphore.waiting === 0)
    },
    hasRoom(channel) {
      return (
        this.isFree(channel) ||
        (patienceOf(channel) > 0 && (semaphores.get(channel.id)?.waiting ?? 0) < lineOf(channel))
      )
    },
    enterNow(channel) {
      const cap = capOf(channel)
      if (cap === 0) return new CountedSlot(uncappedAt(channel))
      const semaphore = semaphoreOf(channel, cap)
      return semaphore.take() ? slotIn(semaphore, channel.id) : null
    },
    async enter(channel, wait) {
      return this.enterNow(channel) ?? waitIn(semaphoreOf(channel, capOf(channel)), channel, wait)
    },
    occupied() {
      const found = new Map<number, Occupancy>()
      for (const [id, { inside }] of uncapped) if (inside > 0) found.set(id, { inside, waiting: 0 })
      for (const [id, { inside, waiting }] of semaphores)
        found.set(id, { inside: inside + (found.get(id)?.inside ?? 0), waiting })
      return found
    },
    get inside() {
      return sum('inside')
    },
    get waiting() {
      return sum('waiting')
    },
  }
}

/** Resolves when it is the call's turn. */
function waitForTurn(
  semaphore: Semaphore,
  signal: AbortSignal,
  { timers, mostMs }: { readonly timers: Timers; readonly mostMs: number },
  refused: (why: SlotRefusal) => NoSlotError,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', gone)
    }
    const leaveLine = semaphore.join(() => {
      end()
      resolve()
    })
    const refuse = (why: SlotRefusal) => {
      leaveLine()
      end()
      reject(refused(why))
    }
    const gone = () => refuse('gone')
    const cancel = timers.after(Math.max(1, mostMs), () => refuse('late'))
    signal.addEventListener('abort', gone, { once: true })
  })
}
