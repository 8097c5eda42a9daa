import { AppError } from '../../platform/app-error'
import type { Config } from '../../platform/config/config'
import { within, type Timers } from '../../platform/time/timers'

/** How long a client may take before its speed counts. What a large body does meanwhile is watched piece by piece. */
const timeoutMs = 60_000
/** A body that arrives in one piece, as most do, makes no other progress. */
const shortTimeoutMs = 10_000
const shortBytes = 64 * 1024

/** What reading a body depends on. */
export interface BodyDeps {
  readonly config: Pick<Config, 'maxRequestBodyBytes' | 'requestTimeoutMs'>
  readonly timers: Timers
}

/** The lowest average speed of a client, in bytes a second. */
const slowestBytes = 16 * 1024

/**
 * Resolves with what reads a request's body, aborted when the client takes too long to send it: a minute, or ten seconds for a
 * short one, plus a second per 16 KB it announced, and never longer than a whole call.
 * @throws AppError `body.slow`.
 */
export async function inBodyTime<Value>(
  request: Request,
  reading: Promise<Value>,
  { config, timers }: BodyDeps,
): Promise<Value> {
  // Most bodies are available at once.
  if (Bun.peek.status(reading) === 'fulfilled') return reading
  const length = announcedBytes(request) ?? Infinity
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const timeout = length < shortBytes ? shortTimeoutMs : timeoutMs
  const maxMs = Math.min(timeout + (length / slowestBytes) * 1000, config.requestTimeoutMs)
  const cancel = timers.after(maxMs, () => reject(new AppError('body.slow')))
  reading.then(resolve, reject)
  try {
    return await promise
  } finally {
    cancel()
  }
}

/**
 * Returns how many bytes a request announces for its body; null where it does not say. The runtime accepts a length that is repeated, and
 * joins it: `5, 5`.
 */
export function announcedBytes({ headers }: Pick<Request, 'headers'>): number | null {
  const length = Number.parseInt(headers.get('content-length') ?? '', 10)
  return Number.isSafeInteger(length) ? length : null
}

/** How long a body may make no progress. */
const stallMs = 10_000

const stalled = Symbol('stalled')

/** Yields the pieces of a body as they arrive. @throws AppError `body.slow` when none arrives for ten seconds. */
export async function* piecesOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  timers: Pick<Timers, 'after'>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const reader = body.getReader()
  try {
    for (;;) {
      const reading = reader.read()
      const read = Bun.peek.status(reading) === 'fulfilled' ? await reading : await orStalled(reading, timers)
      if (read === stalled) throw new AppError('body.slow')
      if (read.done) return
      yield read.value
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

const orStalled = <Value>(reading: Promise<Value>, timers: Pick<Timers, 'after'>): Promise<Value | typeof stalled> =>
  within(timers, stallMs, reading, stalled)
