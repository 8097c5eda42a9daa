import { AppError } from '../../platform/app-error'
import type { Config } from '../../platform/config/config'
import type { Timers } from '../../platform/time/timers'
import { announcedBytes } from './announced-bytes'

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
