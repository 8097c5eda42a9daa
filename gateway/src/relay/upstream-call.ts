import { AppError } from '../app-error'
import type { Context } from '../context'
import type { AttemptClocks } from './clocks'
import type { Prepared } from './prepare'
import { UpstreamError } from './upstream-error'

export interface UpstreamRequest {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
  /** http, https or socks5; undefined: directly. */
  readonly proxy: string | undefined
}

/**
 * Send one request and wait for the head of its answer.
 * @throws UpstreamError `unreachable`, `silent`, `timeout` or `abandoned`.
 */
export async function callUpstream(
  ctx: Pick<Context, 'fetch'>,
  request: UpstreamRequest,
  clocks: AttemptClocks,
): Promise<Response> {
  try {
    const response = await ctx.fetch(request.url, {
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal: clocks.signal,
      redirect: 'manual',
      proxy: request.proxy,
      // The attempt's own clocks decide.
      timeout: false,
    })
    clocks.answered()
    return response
  } catch (cause) {
    throw interrupted(clocks, cause)
  }
}

/**
 * The request with everything that proves who sends it.
 * @throws UpstreamError `refused` for a key the vendor cannot use, `unreachable` or `refused` when a token cannot be had.
 */
export async function authorized(
  ctx: Pick<Context, 'fetch' | 'clock'>,
  { request, authorize }: Pick<Prepared, 'request' | 'authorize'>,
  clocks: AttemptClocks,
): Promise<UpstreamRequest> {
  if (!authorize) return request
  const { proxy } = request
  try {
    const headers = await authorize({
      // A connection that fails is no unfit key, though the runtime calls both a TypeError.
      fetch: (url, init) =>
        ctx
          .fetch(url, { ...init, signal: clocks.signal, redirect: 'manual', proxy, timeout: false })
          .catch((cause: unknown) => {
            throw interrupted(clocks, cause)
          }),
      now: () => ctx.clock.now(),
    })
    return { ...request, headers: { ...request.headers, ...headers } }
  } catch (cause) {
    if (cause instanceof UpstreamError) throw cause
    if (cause instanceof TypeError && clocks.reason === null)
      throw new UpstreamError({ fault: 'refused', status: 401, message: cause.message, cause })
    throw interrupted(clocks, cause)
  }
}

/** What a broken connection means: a clock ran out, the client left, the gateway stops, or the upstream is to blame. */
export function interrupted({ reason }: AttemptClocks, cause: unknown): UpstreamError | AppError {
  if (reason === 'shutdown') return new AppError('gateway.draining', { cause })
  if (reason === null) {
    const message = cause instanceof Error ? cause.message : 'The connection failed'
    return new UpstreamError({ fault: 'unreachable', status: 502, message, cause })
  }
  if (reason === 'client')
    return new UpstreamError({ fault: 'abandoned', status: 499, message: 'The client left', cause })
  const fault = reason === 'total' ? 'timeout' : 'silent'
  return new UpstreamError({ fault, status: 504, message: `The ${reason} time limit was reached`, cause })
}

/** More than any answer needs; what is larger is no answer. */
const largestAnswerBytes = 64 * 1024 * 1024
/** An error's words come first; the rest of a long page is not read. */
const largestErrorBytes = 256 * 1024

/**
 * The whole body of an answer.
 * @throws UpstreamError `malformed` when it is too large, `unreachable` or `timeout` when it breaks off.
 */
export async function readAnswer(response: Response, clocks: AttemptClocks): Promise<Uint8Array<ArrayBuffer>> {
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  const isPacked = response.headers.has('content-encoding')
  if (length > largestAnswerBytes) throw tooLarge()
  try {
    if (!isPacked && length >= 0) return new Uint8Array(await response.arrayBuffer())
    const { bytes, isWhole } = await readUpTo(response, largestAnswerBytes, clocks)
    if (!isWhole) throw tooLarge()
    return bytes
  } catch (cause) {
    if (cause instanceof UpstreamError) throw cause
    throw interrupted(clocks, cause)
  }
}

/** The beginning of an error's body as text; what breaks off or is too long is cut. */
export async function readErrorText(response: Response, clocks: AttemptClocks): Promise<string> {
  try {
    const { bytes } = await readUpTo(response, largestErrorBytes, clocks)
    return Buffer.from(bytes).toString('utf8')
  } catch {
    return ''
  }
}

const tooLarge = () => new UpstreamError({ fault: 'malformed', status: 502, message: 'The answer is too large' })

async function readUpTo(response: Response, most: number, clocks: AttemptClocks) {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  if (!response.body) return { bytes: new Uint8Array(), isWhole: true }
  for await (const part of response.body) {
    clocks.touched()
    size += part.byteLength
    if (size > most) return { bytes: Buffer.concat(parts), isWhole: false }
    parts.push(part)
  }
  return { bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts), isWhole: true }
}
