import type { Clock } from './clock'
import { Deadlines, type Deadline } from './deadlines'

/** The only way to wait. Replaceable, so that a test or a simulation decides what comes when. */
export interface Timers {
  /** Resolves after some milliseconds. Keeps the process alive until then; the others do not. */
  wait(ms: number): Promise<void>
  /** Runs it when the present turn of the event loop is over. */
  soon(work: () => void): void
  /** Runs it after some milliseconds. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void
  /** Runs it after each interval. Returns a function that ends it. */
  every(ms: number, work: () => void): () => void
}

/** Waits that are longer share a timer: nearly all are cancelled, as every body of a request has one. */
const longMs = 1000

function ownTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

const longWaits = new Deadlines<LongWait>({ now: () => performance.now(), after: ownTimer }, true)

class LongWait implements Deadline {
  index: number | null = null

  constructor(
    readonly dueAt: number,
    private readonly work: () => void,
  ) {}

  check(): void {
    longWaits.remove(this)
    this.work()
  }
}

export const systemTimers: Timers = {
  wait: (ms) => Bun.sleep(ms),
  soon: (work) => void setImmediate(work),
  after(ms, work) {
    if (ms < longMs) return ownTimer(ms, work)
    const wait = new LongWait(performance.now() + ms, work)
    longWaits.add(wait)
    return () => longWaits.remove(wait)
  },
  every(ms, work) {
    const timer = setInterval(work, ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/** Resolves when the present turn of the event loop is over. */
export const turnOver = (timers: Pick<Timers, 'soon'>): Promise<void> =>
  new Promise((resolve) => {
    timers.soon(resolve)
  })

/** What measures time and waits. */
export interface Time {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly timers: Timers
}

/**
 * Hands out turns of the event loop, one at a time: between two of them the loop serves everything else, however many pieces of long work
 * wait for theirs.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []

  constructor(private readonly timers: Pick<Timers, 'soon'>) {}

  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    if (this.#waiting.length === 1) this.#goOn()
    return promise
  }

  #goOn(): void {
    this.timers.soon(() => {
      this.#waiting.shift()?.()
      if (this.#waiting.length > 0) this.#goOn()
    })
  }
}

const turns = new Turns(systemTimers)

/**
 * Resolves when other work has had its turn of the event loop: a local database alone never yields to it. Only one piece of long work has
 * each turn.
 */
export const nextTurn = (): Promise<void> => turns.next()

/** Takes each step in a turn of its own. Resolves with what they come to. */
export async function inTurns<Value>(steps: Generator<undefined, Value, undefined>): Promise<Value> {
  for (;;) {
    await nextTurn()
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Resolves as the promise does, or with `otherwise` when it takes longer. */
export async function within<T, Otherwise = T>(
  timers: Pick<Timers, 'after'>,
  ms: number,
  promise: Promise<T>,
  otherwise: Otherwise,
): Promise<T | Otherwise> {
  const { promise: late, resolve } = Promise.withResolvers<Otherwise>()
  const cancel = timers.after(ms, () => resolve(otherwise))
  try {
    return await Promise.race([promise, late])
  } finally {
    cancel()
  }
}

/** Resolves after some milliseconds, or as soon as the signal is aborted. */
export async function waitUnless(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = timers.after(ms, resolve)
  const end = () => resolve()
  signal.addEventListener('abort', end, { once: true })
  await promise
  cancel()
  signal.removeEventListener('abort', end)
}
