import { FormFile, inBody, type DialectId, type JsonObject, type Mode } from '@tollgate/dialects'

import type { Channel, ChannelKey } from '../catalog/catalog'
import type { Context } from '../../context'
import { createMalformedError, parseInTurns, readResponseObject } from './parse-response-object'
import { modelName } from '../catalog/channel-keys'
import { startClocks, type AttemptClocks } from './clocks'
import type { Lesson } from './requested-call'
import { lessonOf, remember, taught } from './read-lesson'
import { prepare, type Prepared } from './prepare'
import { bodyOf, formOf } from './parsed-body'
import {
  authorizeRequest,
  callUpstream,
  isSuccess,
  readResponseBody,
  refusalOf,
  renewCredentials,
} from './upstream-call'
import { sentSecrets } from './sent-secrets'
import { UpstreamError } from './upstream-error'

/** One call to one channel, not on behalf of a client. */
export interface SingleCall {
  readonly channel: Channel
  readonly key: ChannelKey
  readonly mode: Mode
  /** The dialect of the body. */
  readonly dialect: DialectId
  /** Without the channel's prefix, before its mapping. */
  readonly model: string
  readonly body: JsonObject
  /** The path at which a client would request it: `/v1/chat/completions`. */
  readonly path: string
  readonly timeoutMs: number
}

export interface SingleResult {
  /** Null when the upstream failed. */
  readonly body: JsonObject | null
  readonly error: UpstreamError | null
  readonly milliseconds: number
}

/**
 * Sends one call through a channel as for a client, and resolves with the whole response.
 * @throws AppError `endpoint.unsupported` when the vendor does not serve the mode. Failures of the upstream are returned, not thrown.
 */
export async function sendOnce(ctx: Context, call: SingleCall): Promise<SingleResult> {
  const { channel, key, mode, model, body, path } = call
  const parsed = Object.values(body).some((value) => value instanceof FormFile) ? formOf(body) : bodyOf(body)
  const requested = { mode, dialect: call.dialect, pathContext: inBody, isStream: false, body: parsed, path }
  const name = modelName(channel.id, model)
  const startedAt = ctx.clock.monotonic()
  const toResult = (outcome: Pick<SingleResult, 'body' | 'error'>): SingleResult => ({
    ...outcome,
    milliseconds: Math.round(ctx.clock.monotonic() - startedAt),
  })
  const limits = { firstByteMs: null, idleMs: call.timeoutMs, totalMs: call.timeoutMs }
  const clocks = startClocks(ctx, limits)
  const choice = { channel, key, model }
  const requestedWith = (lesson: Lesson) => ({ ...requested, lesson: { ...ctx.health.lessons.get(name), ...lesson } })
  const send = async (lesson: Lesson, unsigned: Prepared): Promise<JsonObject> => {
    let { request } = unsigned
    try {
      request = await authorizeRequest(ctx, unsigned, clocks)
      return await fetchObject(ctx, { ...unsigned, request }, call, clocks)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (renewCredentials(error, unsigned, ctx.clock.now())) return send(lesson, { ...unsigned, renew: undefined })
      const refusal = error.withSecrets(key.value, ...sentSecrets(request))
      const more = lessonOf(refusal, unsigned, requested, lesson)
      if (!more) throw refusal
      const learned = { ...lesson, ...more }
      const prepared = taught(requestedWith(learned), choice, ctx.catalog.current, learned)
      if (!prepared) throw refusal
      const responseObject = await send(learned, prepared)
      remember(ctx.health.lessons, name, learned)
      return responseObject
    }
  }
  try {
    return toResult({ body: await send({}, prepare(requestedWith({}), choice, ctx.catalog.current)), error: null })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return toResult({ body: null, error })
  } finally {
    clocks.finish()
  }
}

async function fetchObject(
  ctx: Context,
  { request, description, translated }: Prepared,
  { channel, mode }: SingleCall,
  clocks: AttemptClocks,
): Promise<JsonObject> {
  const upstreamResponse = await callUpstream(ctx, request, clocks)
  if (!isSuccess(upstreamResponse))
    throw await refusalOf(upstreamResponse, description.dialect, channel, clocks, ctx.clock)
  const bytes = await readResponseBody(upstreamResponse, clocks, description)
  const type = upstreamResponse.headers.get('content-type') ?? ''
  if (mode === 'speech' && !translated && !type.includes('json')) return requireAudio(bytes, type)
  const responseObject = await parseInTurns(bytes)
  readResponseObject(responseObject, description)
  return responseObject
}

/** Returns an empty object for audio. @throws UpstreamError `malformed` for anything else. */
function requireAudio({ byteLength }: Uint8Array, type: string): JsonObject {
  if (byteLength === 0 || type.startsWith('text/')) throw createMalformedError('The response is not audio')
  return {}
}
