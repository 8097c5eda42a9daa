import type { FullWindow } from '../../billing/ledger/ledger'
import type { SlotRefusal } from '../../platform/telemetry/metrics/outcomes'
import type { Time } from '../../platform/time/timers'
import { Semaphore } from './semaphore'
import { maxWaitingOf, maxWaitSecondsOf, NoSlotError, waitForTurn, type Capped, type Wait } from './slots'

/** Other workers give back what they hold without a word; so the first in a queue looks again after this. */
const pollIntervalMs = 1000

interface Line {
  readonly full: FullWindow
  /** One place: that of the call that looks for room. */
  readonly front: Semaphore
  /** A call has left since the one in front looked last. */
  hasRoomPerhaps: boolean
  onRoom: () => void
}

/** A channel, and its window that has no room. */
interface Crowded {
  readonly channel: Capped
  readonly full: FullWindow
}

/**
 * The calls of this worker that wait for room in the windows of channels, first in, first out for each channel. The bounds are those of the
 * queue for slots.
 */
export class WindowLines {
  readonly #lines = new Map<number, Line>()

  constructor(private readonly time: Time) {}

  /** Returns the window for which calls wait before a channel, so that those that come later do not pass them; null where none do. */
  windowBefore(channelId: number): FullWindow | null {
    return this.#lines.size === 0 ? null : (this.#lines.get(channelId)?.full ?? null)
  }

  /** The calls that wait. */
  get waiting(): number {
    let total = 0
    for (const { front } of this.#lines.values()) total += front.inside + front.waiting
    return total
  }

  /** Called when a call has left the windows of a channel. */
  wake(channelId: number): void {
    const line = this.#lines.size === 0 ? undefined : this.#lines.get(channelId)
    if (!line) return
    line.hasRoomPerhaps = true
    line.onRoom()
  }

  /**
   * Resolves with the front of the queue before a channel when it is the call's turn.
   * @throws NoSlotError
   */
  async enter({ channel, full }: Crowded, { signal, deadline }: Wait): Promise<FrontPlace> {
    const { clock, timers } = this.time
    const seconds = maxWaitSecondsOf(channel)
    const until = Math.min(clock.monotonic() + seconds * 1000, deadline)
    const refusalOf = (why: SlotRefusal) => new NoSlotError(why, Math.max(1, seconds))
    const line = this.#lines.get(channel.id) ?? newLine(full)
    const { front } = line
    if (signal.aborted) throw refusalOf('gone')
    if (seconds === 0 || front.inside + front.waiting >= maxWaitingOf(channel)) throw refusalOf('full')
    this.#lines.set(channel.id, line)
    if (!front.take()) await waitForTurn(front, signal, { timers, maxMs: until - clock.monotonic() }, refusalOf)
    // Something may have changed while the call joined, or waited.
    line.hasRoomPerhaps = true
    return new FrontPlace(line, this.time, {
      signal,
      until,
      onLeave: () => {
        if (front.inside === 0) this.#lines.delete(channel.id)
      },
    })
  }
}

interface FrontOptions {
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  /** Monotonic milliseconds. */
  readonly until: number
  readonly onLeave: () => void
}

/** The front of a queue: its call looks for room, and the others wait until it leaves. */
export class FrontPlace {
  #isOver = false

  constructor(
    private readonly line: Line,
    private readonly time: Time,
    private readonly options: FrontOptions,
  ) {}

  /**
   * Resolves when it is worth looking again. Resolves with false when the time to wait is over.
   * @throws NoSlotError `gone` when the client left.
   */
  async untilNextPoll(): Promise<boolean> {
    const { signal, until } = this.options
    const left = until - this.time.clock.monotonic()
    if (left <= 0) return false
    if (!this.line.hasRoomPerhaps) await this.#untilRoom(Math.min(pollIntervalMs, left))
    if (signal.aborted) throw new NoSlotError('gone', 1)
    this.line.hasRoomPerhaps = false
    return true
  }

  #untilRoom(maxMs: number): Promise<void> {
    const { line, time } = this
    const { signal } = this.options
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        signal.removeEventListener('abort', end)
        line.onRoom = () => {}
        resolve()
      }
      const cancel = time.timers.after(maxMs, end)
      line.onRoom = end
      signal.addEventListener('abort', end, { once: true })
    })
  }

  /** Lets the next call look. A second time it does nothing. */
  leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.line.front.leave()
    this.options.onLeave()
  }
}

const newLine = (full: FullWindow): Line => ({
  full,
  front: new Semaphore(1),
  hasRoomPerhaps: true,
  onRoom() {},
})
