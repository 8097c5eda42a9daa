import { FormFile, inBody, type DialectId, type JsonObject, type Mode } from '@tollgate/dialects'

import type { Channel, ChannelKey } from '../../catalog/catalog'
import type { Context } from '../../context'
import { answerObject, malformed, readAnswerObject } from './answer-object'
import { startClocks } from './clocks'
import { prepare } from './prepare'
import { bodyOf, formOf } from './parsed-body'
import { refusalOf } from './refusal'
import { sentSecrets } from './sent-secrets'
import { authorized, callUpstream, isGood, isRenewed, readAnswer } from './upstream-call'
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

export interface SingleAnswer {
  /** Null when the upstream failed. */
  readonly body: JsonObject | null
  readonly error: UpstreamError | null
  readonly milliseconds: number
}

/**
 * Sends one call through a channel as for a client, and resolves with the whole response.
 * @throws AppError `endpoint.unsupported` when the vendor does not serve the mode. Failures of the upstream are returned, not thrown.
 */
export async function sendOnce(ctx: Context, call: SingleCall): Promise<SingleAnswer> {
  const { channel, key, mode, model, body, path } = call
  const parsed = Object.values(body).some((value) => value instanceof FormFile) ? formOf(body) : bodyOf(body)
  const asked = { mode, dialect: call.dialect, place: inBody, isStream: false, body: parsed, path }
  const prepared = prepare(asked, { channel, key, model }, ctx.catalog.current)
  const { description } = prepared
  let { request } = prepared
  const startedAt = ctx.clock.monotonic()
  const ended = (answer: Pick<SingleAnswer, 'body' | 'error'>): SingleAnswer => ({
    ...answer,
    milliseconds: Math.round(ctx.clock.monotonic() - startedAt),
  })
  const limits = { firstByteMs: null, idleMs: call.timeoutMs, totalMs: call.timeoutMs }
  const clocks = startClocks(ctx, limits)
  const send = async (): Promise<JsonObject> => {
    request = await authorized(ctx, prepared, clocks)
    const answered = await callUpstream(ctx, request, clocks)
    if (!isGood(answered)) throw await refusalOf(answered, description.dialect, channel, clocks, ctx.clock.now())
    const bytes = await readAnswer(answered, clocks, description)
    const type = answered.headers.get('content-type') ?? ''
    if (mode === 'speech' && !prepared.translated && !type.includes('json')) return spoken(bytes, type)
    const answer = answerObject(bytes)
    readAnswerObject(answer, description)
    return answer
  }
  try {
    const answer = await send().catch((error: unknown) => {
      if (!isRenewed(error, prepared, ctx.clock.now())) throw error
      return send()
    })
    return ended({ body: answer, error: null })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return ended({ body: null, error: error.withSecrets(key.value, ...sentSecrets(request)) })
  } finally {
    clocks.finish()
  }
}

/** Returns an empty object for audio. @throws UpstreamError `malformed` for anything else. */
function spoken({ byteLength }: Uint8Array, type: string): JsonObject {
  if (byteLength === 0 || type.startsWith('text/')) throw malformed('The response is not audio')
  return {}
}
