import { withCredentials, type ModeDescription, type SharedTokens } from '@tollgate/providers'
import { z } from 'zod'
import { dialects, type DialectId } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { ByteReader, Bytes } from '@tollgate/http-client'
import { ConnectTimeout, StaleConnection } from '@tollgate/http-client'
import type { UpstreamResponse } from '@tollgate/http-client'
import { readBounded, ResponseTooLarge } from '@tollgate/http-client'
import type { UpstreamRequest } from '@tollgate/http-client'
import type { AttemptClocks } from './clocks'
import type { Prepared } from './prepare'
import { isOutOfFiles } from '@tollgate/http-client'
import { UpstreamError } from './upstream-error'
import type { SealContext } from '../../platform/store/seal'
import { readNote, writeNotes } from '../../platform/store/site-notes'
import type { Channel } from '../catalog/catalog'
import { retryAfterOf } from './retry-after'

/**
 * Sends one request and resolves with the head of its response. `onStart` is called before the upstream may read the request.
 * @throws UpstreamError `unreachable`, `silent`, `timeout` or `abandoned`.
 */
export async function callUpstream(
  ctx: Pick<Context, 'upstreams'>,
  request: UpstreamRequest,
  clocks: AttemptClocks,
  onStart?: () => void,
): Promise<UpstreamResponse> {
  try {
    return await ctx.upstreams.send(request, clocks.cancellation, onStart)
  } catch (cause) {
    throw toUpstreamError(clocks, cause)
  }
}

/**
 * Returns the request with its credentials.
 * @throws UpstreamError `refused` for a key the vendor cannot use, `unreachable` or `refused` when a token cannot be obtained.
 */
export async function authorizeRequest(
  ctx: Pick<Context, 'fetch' | 'clock' | 'database' | 'seal'>,
  { request, authorize }: Pick<Prepared, 'request' | 'authorize'>,
  clocks: AttemptClocks,
): Promise<UpstreamRequest> {
  if (!authorize) return request
  const { proxy } = request
  try {
    const credentials = await authorize({
      // The runtime throws a TypeError for a failed connection too, which does not mean that the key is unusable.
      fetch: (url, init) =>
        ctx
          .fetch(url, { ...init, signal: clocks.cancellation.signal, redirect: 'manual', proxy, timeout: false })
          .then(boundedToken)
          .catch((cause: unknown) => {
            throw cause instanceof UpstreamError ? cause : toUpstreamError(clocks, cause)
          }),
      now: () => ctx.clock.now(),
      sharedTokens: sharedTokens(ctx),
    })
    return { ...withCredentials(request, credentials), secrets: Object.values(credentials.query ?? {}) }
  } catch (cause) {
    if (cause instanceof UpstreamError) throw cause
    if (cause instanceof TypeError && clocks.reason === null)
      throw new UpstreamError({ fault: 'refused', status: 401, message: cause.message, cause })
    throw toUpstreamError(clocks, cause)
  }
}

/** Returns whether the vendor refused a token and there may be another: the attempt is then made again, once. */
export const renewCredentials = (error: unknown, { renew }: Pick<Prepared, 'renew'>, nowMs: number): boolean =>
  renew !== undefined &&
  error instanceof UpstreamError &&
  error.fault === 'refused' &&
  error.status === 401 &&
  renew(nowMs)

/** Far more than a token response needs. */
const maxTokenBytes = 256 * 1024

/** Returns the response with its body read. @throws UpstreamError `malformed` when it is too large to hold a token. */
async function boundedToken(response: Response): Promise<Response> {
  const body = await readBounded(response, maxTokenBytes).catch((cause: unknown) => {
    if (!(cause instanceof ResponseTooLarge)) throw cause
    throw new UpstreamError({ fault: 'malformed', status: 502, message: 'The answer is too large for a token', cause })
  })
  const { status, headers } = response
  return new Response(body.length === 0 ? null : body, { status, headers })
}

export const isSuccess = ({ status }: UpstreamResponse): boolean => status >= 200 && status < 300

/**
 * Returns what a broken connection means: a timeout, the client is gone, the gateway stops, or the upstream is to blame.
 */
export function toUpstreamError({ reason }: AttemptClocks, cause: unknown): UpstreamError | AppError {
  if (reason === 'shutdown') return new AppError('gateway.draining', { cause })
  if (cause instanceof ConnectTimeout) return tooLate('silent', cause.message, cause)
  if (reason === null) {
    if (isOutOfFiles()) return new AppError('gateway.files', { cause })
    const message = cause instanceof Error ? cause.message : 'The connection failed'
    const fault = cause instanceof StaleConnection ? 'stale' : 'unreachable'
    return new UpstreamError({ fault, status: 502, message, cause })
  }
  if (reason === 'client')
    return new UpstreamError({ fault: 'abandoned', status: 499, message: 'The client left', cause })
  return tooLate(reason === 'total' ? 'timeout' : 'silent', `The ${reason} time limit was reached`, cause)
}

const tooLate = (fault: 'timeout' | 'silent', message: string, cause: unknown) =>
  new UpstreamError({ fault, status: 504, message, cause })

/** More than any response needs. */
const maxResponseBytes = 64 * 1024 * 1024
/** The message comes first; the rest of a long page is not read. */
const maxErrorBytes = 256 * 1024

/**
 * Resolves with the whole body of a response.
 * @throws UpstreamError `malformed` when it is too large, `unreachable` or `timeout` when it breaks off.
 */
export async function readResponseBody(
  upstreamResponse: UpstreamResponse,
  clocks: AttemptClocks,
  { collect }: Pick<ModeDescription, 'collect'> = {},
): Promise<Bytes> {
  try {
    const { bytes, isWhole } = await readUpTo(upstreamResponse.body, maxResponseBytes, clocks)
    if (isWhole) return collect?.(bytes) ?? bytes
  } catch (cause) {
    throw toUpstreamError(clocks, cause)
  }
  throw new UpstreamError({ fault: 'malformed', status: 502, message: 'The answer is too large' })
}

/** Resolves with the beginning of an error's body as text; what breaks off or is too long is cut. */
async function readErrorText(upstreamResponse: UpstreamResponse, clocks: AttemptClocks): Promise<string> {
  try {
    const { bytes } = await readUpTo(upstreamResponse.body, maxErrorBytes, clocks)
    return Buffer.from(bytes).toString('utf8')
  } catch {
    return ''
  }
}

async function readUpTo(body: ByteReader<Bytes>, maxBytes: number, clocks: AttemptClocks) {
  const parts: Bytes[] = []
  let size = 0
  for (;;) {
    const { done, value } = await body.read()
    if (done) break
    clocks.touch()
    size += value.byteLength
    if (size > maxBytes) {
      void body.cancel()
      return { bytes: concatBytes(parts), isWhole: false }
    }
    parts.push(value)
  }
  return { bytes: concatBytes(parts), isWhole: true }
}

const concatBytes = (parts: readonly Bytes[]): Bytes =>
  parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)

const StoredToken = z.object({ sealed: z.string(), goodUntil: z.number() })

const noteOf = (name: string) => `vendor-token:${name}`
const sealContextOf = (name: string): SealContext => `site_notes.value#${noteOf(name)}`

/**
 * Tokens of vendors, kept sealed in the database for the workers of all nodes. A call does without the database: while that fails, each
 * worker fetches tokens of its own. Nor are tokens sealed anew when the key changes: what does not open counts as absent.
 */
export const sharedTokens = ({
  database,
  seal,
  clock,
}: Pick<Context, 'database' | 'seal'> & { readonly clock: Pick<Context['clock'], 'now'> }): SharedTokens => ({
  async read(name) {
    try {
      const note = await readNote(database.query, noteOf(name), StoredToken)
      return note && { text: seal.open(note.sealed, sealContextOf(name)), goodUntil: note.goodUntil }
    } catch {
      return null
    }
  },
  async write(name, { text, goodUntil }) {
    const value = { sealed: seal.seal(text, sealContextOf(name)), goodUntil } satisfies z.infer<typeof StoredToken>
    await writeNotes(database.query, [{ name: noteOf(name), value }], clock.now()).catch(() => {})
  },
})

/** Resolves with what a response with an error status means, after the channel's status mapping. */
export async function refusalOf(
  upstreamResponse: UpstreamResponse,
  dialect: DialectId,
  channel: Channel,
  clocks: AttemptClocks,
  clock: Pick<Context['clock'], 'now'>,
): Promise<UpstreamError> {
  const errorView = dialects[dialect].readError(upstreamResponse.status, await readErrorText(upstreamResponse, clocks))
  return new UpstreamError({
    ...errorView,
    fault: 'refused',
    status: channel.statusCodeMapping.get(upstreamResponse.status) ?? upstreamResponse.status,
    retryAfterSeconds: retryAfterOf(upstreamResponse.headers, clock) ?? errorView.retryAfterSeconds,
  })
}
