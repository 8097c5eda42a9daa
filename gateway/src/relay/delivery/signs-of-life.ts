import { dialects } from '@tollgate/dialects'

import { within } from '../../platform/time/timers'
import type { CallContext } from '../call-context'
import { failureOf } from '../errors/failure'
import { streamHeaders, addCallHeaders, browserHeaders } from './response-headers'
import { heartbeat } from './deliver-stream'

/** Milliseconds of silence after which a stream of this call gets a sign of life; null: it gets none. */
export function heartbeatMs({ call: { catalog, dialect, query } }: Pick<CallContext, 'call'>): number | null {
  const { options } = catalog
  // A form other than events has no comments.
  if (!options['general_setting.ping_interval_enabled'] || dialects[dialect].streamForm?.(query)) return null
  return options['general_setting.ping_interval_seconds'] * 1000
}

/**
 * Resolves with the response of a stream as soon as it has begun, or when its client has heard nothing for the interval of signs of life: then
 * with one that consists of those until it begins, as proxies cut what is silent for long. What fails after that is an error event.
 * @throws what `serving` throws before.
 */
export async function withSignsOfLife(
  context: CallContext,
  serving: Promise<Response>,
  intervalMs: number,
): Promise<Response> {
  const { timers } = context.deps.ctx
  const response = await within(timers, intervalMs, serving, null)
  return response ?? new Response(silentStream(context, serving, intervalMs), { headers: headersOf(context) })
}

function silentStream(
  { call, departure, deps }: CallContext,
  serving: Promise<Response>,
  intervalMs: number,
): ReadableStream<Uint8Array> {
  const leave = deps.inFlight.enter()
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const client = body.writable.getWriter()
  const beat = () => void client.write(heartbeat).catch(() => {})
  beat()
  const stop = deps.ctx.timers.every(intervalMs, beat)
  client.closed.catch(() => departure.leave())
  const send = async () => {
    let response: Response
    try {
      response = await serving.finally(stop)
    } catch (error) {
      deps.refusals.note(error, call)
      await client.write(dialects[call.dialect].errorEvent(failureOf(error, call)))
      return client.close()
    }
    for await (const bytes of response.body ?? []) await client.write(bytes)
    return client.close()
  }
  // What breaks off is not to look whole.
  void send()
    .catch((error: unknown) => client.abort(error))
    .catch(() => {})
    .finally(leave)
  return body.readable
}

const headersOf = ({ call }: CallContext): Record<string, string> =>
  streamHeaders(addCallHeaders({ ...browserHeaders }, call))
