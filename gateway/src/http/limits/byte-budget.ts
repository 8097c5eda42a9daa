import { AppError } from '../../platform/app-error'
import type { MemoryLimits } from '../../platform/config/config'

/** Memory that one call or session holds. */
export interface Room extends Disposable {
  /** Whose call it is. */
  readonly userId: number
  /** Takes more bytes. @throws AppError `gateway.memory` where that is more than the process, or this user, may have in flight. */
  take(bytes: number): void
  /** Counts bytes that are here already, whatever is left: others are refused for them. */
  hold(bytes: number): void
  /** Has this buffer freed with the room, without waiting for the collector: it is empty afterwards. */
  keep(buffer: Uint8Array<ArrayBuffer>): void
  /** Gives everything back. Calling it again does nothing. */
  [Symbol.dispose](): void
}

/** Bodies are read in a few seconds, and most calls take no longer. */
const retryAfterSeconds = 5

/** What a call takes with its sockets and a body that is too small to be counted. */
export const callBytes = 96 * 1024

/** What calls in flight hold in memory: bodies, forms, messages of sessions, and answers that are held back. */
export class ByteBudget {
  #used = 0
  readonly #byUser = new Map<number, number>()
  readonly #callsByUser = new Map<number, number>()

  constructor(private readonly limits: MemoryLimits) {}

  /** How many bytes are taken. */
  get used(): number {
    return this.#used
  }

  /** How many calls count as in flight. */
  get calls(): number {
    return [...this.#callsByUser.values()].reduce((sum, calls) => sum + calls, 0)
  }

  /** Returns room for a call of a user; nothing is taken yet. */
  open(userId: number): Room {
    return new CallRoom(this, userId)
  }

  /**
   * Does the same for one of many calls. They are no one else's concern, so small calls of others go on when the memory is full.
   * @throws AppError `gateway.memory` where the calls of the user that are in flight fill the user's share by themselves.
   */
  openCall(userId: number): Room {
    const calls = this.#callsByUser.get(userId) ?? 0
    if (calls > 0 && (calls + 1) * callBytes > this.limits.ofUser) throw full()
    this.#callsByUser.set(userId, calls + 1)
    return new CallRoom(this, userId, true)
  }

  endCall(userId: number): void {
    const calls = this.#callsByUser.get(userId) ?? 0
    if (calls > 1) this.#callsByUser.set(userId, calls - 1)
    else this.#callsByUser.delete(userId)
  }

  /** @throws AppError `gateway.memory` where this is more than the process, or this user, may have in flight. */
  require(userId: number, bytes: number): void {
    const { total, ofUser } = this.limits
    const usedByUser = this.#byUser.get(userId) ?? 0
    // One call is always let through: otherwise a small share would refuse it for ever.
    const isFull = this.#used > 0 && this.#used + bytes > total
    const isFullForUser = usedByUser > 0 && usedByUser + bytes > ofUser
    if (isFull || isFullForUser) throw full()
  }

  /** Counts bytes that a user takes, or gives back. */
  add(userId: number, bytes: number): void {
    if (bytes === 0) return
    this.#used += bytes
    const used = (this.#byUser.get(userId) ?? 0) + bytes
    if (used === 0) this.#byUser.delete(userId)
    else this.#byUser.set(userId, used)
  }
}

const full = (): AppError => new AppError('gateway.memory', { retryAfterSeconds })

/** A class, since every call has one: three functions for each were 1 KB of the 35 that a small call makes. */
class CallRoom implements Room {
  #held = 0
  #retainedBuffer: Uint8Array<ArrayBuffer> | null = null

  constructor(
    private readonly budget: ByteBudget,
    readonly userId: number,
    /** It counts as a call until it is disposed of. */
    private isCall = false,
  ) {}

  take(bytes: number): void {
    this.budget.require(this.userId, bytes)
    this.hold(bytes)
  }

  hold(bytes: number): void {
    this.#held += bytes
    this.budget.add(this.userId, bytes)
  }

  keep(buffer: Uint8Array<ArrayBuffer>): void {
    this.#retainedBuffer = buffer
  }

  [Symbol.dispose](): void {
    this.budget.add(this.userId, -this.#held)
    this.#held = 0
    if (this.isCall) this.budget.endCall(this.userId)
    this.isCall = false
    if (this.#retainedBuffer !== null) detach(this.#retainedBuffer)
    this.#retainedBuffer = null
  }
}

/** Frees the memory of a view that has its buffer to itself; the view is empty afterwards. Calling it again does nothing. */
export function detach({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (!buffer.detached && byteLength === buffer.byteLength) buffer.transfer(0)
}

/** Returns the same body, and disposes of a place once it has ended, failed, or lost its reader. */
export function endedBody(body: ReadableStream<Uint8Array>, turn: Disposable): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          turn[Symbol.dispose]()
          controller.close()
        } catch (error) {
          turn[Symbol.dispose]()
          controller.error(error)
        }
      },
      async cancel(reason) {
        turn[Symbol.dispose]()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
