import { AppError } from '../app-error'
import type { Config } from '../config'

/** What a client has before its speed counts. */
const patienceMs = 60_000
/** The least a client may send in a second, on the whole. */
const slowestBytes = 16 * 1024

/**
 * What reads a request's body, given up when the client takes too long to send it: a minute and a second more for each 16 KB it announced,
 * and never longer than a whole call.
 * @throws AppError `body.slow`.
 */
export async function inBodyTime<Value>(
  request: Request,
  reading: Promise<Value>,
  { requestTimeoutMs }: Pick<Config, 'requestTimeoutMs'>,
): Promise<Value> {
  // Most bodies are there as soon as they are asked for.
  if (Bun.peek.status(reading) === 'fulfilled') return reading
  const length = Number(request.headers.get('content-length') ?? Infinity)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const mostMs = Math.min(patienceMs + (length / slowestBytes) * 1000, requestTimeoutMs)
  const timer = setTimeout(() => reject(new AppError('body.slow')), mostMs)
  try {
    return await Promise.race([reading, late])
  } finally {
    clearTimeout(timer)
  }
}
