import { isObject, type JsonObject, type Mode } from '@tollgate/dialects'

import type { Channel, ChannelKey } from '../catalog/catalog'
import type { Context } from '../context'
import { startClocks } from './clocks'
import { prepare } from './prepare'
import { callUpstream, readAnswer, readErrorText } from './upstream-call'
import { UpstreamError } from './upstream-error'

/** One call to one channel, outside of any client's call. */
export interface SingleCall {
  readonly channel: Channel
  readonly key: ChannelKey
  readonly mode: Mode
  /** Without the channel's prefix, before its mapping. */
  readonly model: string
  readonly body: JsonObject
  /** As a client would ask for it: `/v1/chat/completions`. */
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
 * Send one call through a channel as a client's call would go, and wait for its whole answer.
 * @throws AppError `endpoint.unsupported` when the vendor does not serve the mode. Failures of the upstream are answered.
 */
export async function sendOnce(ctx: Context, call: SingleCall): Promise<SingleAnswer> {
  const { channel, key, mode, model, body, path } = call
  const written = { text: JSON.stringify(body), json: body, mayRepeatMembers: false }
  const asked = { mode, isStream: false, body: written, path }
  const { request, description } = prepare(asked, { channel, key, model }, ctx.catalog.current)
  const startedAt = ctx.clock.monotonic()
  const ended = (answer: Pick<SingleAnswer, 'body' | 'error'>): SingleAnswer => ({
    ...answer,
    milliseconds: Math.round(ctx.clock.monotonic() - startedAt),
  })
  const limits = { firstByteMs: null, idleMs: call.timeoutMs, totalMs: call.timeoutMs }
  const clocks = startClocks(ctx.clock, limits)
  try {
    const response = await callUpstream(ctx, request, clocks)
    if (!response.ok) throw refused(response.status, channel, await readErrorText(response, clocks))
    const text = Buffer.from(await readAnswer(response, clocks)).toString('utf8')
    const answer = objectOf(text)
    if (!answer) throw new UpstreamError({ fault: 'malformed', status: 502, message: 'The answer is no JSON object' })
    const found = description.errorInAnswer?.(answer)
    if (found) throw new UpstreamError({ fault: 'refused', ...found })
    if (answer['error']) throw refused(502, channel, text)
    return ended({ body: answer, error: null })
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return ended({ body: null, error })
  } finally {
    clocks.finish()
  }
}

/** What an error answer means, in the shape most vendors use; its whole text when it has another one. */
function refused(status: number, channel: Channel, text: string): UpstreamError {
  const error = objectOf(text)?.['error']
  const said = isObject(error) ? error : {}
  const wordOf = (name: string) => (typeof said[name] === 'string' ? said[name] : '')
  return new UpstreamError({
    fault: 'refused',
    status: channel.statusCodeMapping.get(status) ?? status,
    message: wordOf('message') || `HTTP ${status} ${text.slice(0, 500)}`,
    type: wordOf('type'),
    code: wordOf('code'),
  })
}

function objectOf(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
