import { modelReasonHeader, requestIdHeader, servedModelHeader, type ModelReason } from '@tollgate/contract'

import type { IncomingCall, RateReset, RateStanding } from '../call'

/** Upstream headers that a client may see: they describe the response and reveal nothing about the route. */
const passed = [
  'content-language',
  'openai-processing-ms',
  'openai-version',
  'openai-model',
  'retry-after',
  'x-gemini-service-tier',
] as const

/** Allowed characters of a field value (RFC 9110, 5.5). The runtime throws for some other characters and sends the rest. */
const isFieldValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/** Returns the gateway's own headers of a response with those of the upstream that a client may see. */
export function withPassedHeaders(own: Record<string, string>, upstream: Pick<Headers, 'get'>): Record<string, string> {
  addUpstreamHeaders(own, upstream, passed)
  return own
}

/** Adds these headers of the upstream. */
export function addUpstreamHeaders(
  own: Record<string, string>,
  upstream: Pick<Headers, 'get'>,
  names: readonly string[],
): void {
  for (const name of names) {
    const value = upstream.get(name)
    if (value !== null && isFieldValue(value)) own[name] = value
  }
}

/** Returns the headers of a stream: no proxy on the way may buffer events. */
export const streamHeaders = (own: Record<string, string>): Record<string, string> => ({
  ...own,
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
})

/** Returns the headers that name the model of a response, where it is another one than the call names. */
export const servedModelHeaders = (model: string, reason: ModelReason): Record<string, string> => ({
  [servedModelHeader]: isFieldValue(model) ? model : encodeURIComponent(model),
  [modelReasonHeader]: reason,
})

type NamedCall = Pick<IncomingCall, 'requestId' | 'dialect' | 'findings'>

/**
 * Adds the headers of every response to a call, by the names that SDKs of its dialect read: its id, and what is left of the caller's own
 * rate limits and windows, which are never those of an upstream's account.
 */
export function addCallHeaders(
  headers: Record<string, string>,
  { requestId, dialect, findings: { requests, tokens } }: NamedCall,
): Record<string, string> {
  headers[requestIdHeader] = requestId
  const isAnthropic = dialect === 'anthropic-messages'
  if (isAnthropic) headers['request-id'] = requestId
  const addLimit = isAnthropic ? addAnthropicLimit : addOpenAiLimit
  if (requests) addLimit(headers, 'requests', requests)
  if (tokens) addLimit(headers, 'tokens', tokens)
  return headers
}

/** Returns the headers of a response that has no others. */
export const callHeaders = (call: NamedCall): Record<string, string> => addCallHeaders({}, call)

type Unit = 'requests' | 'tokens'
type AddLimit = (headers: Record<string, string>, unit: Unit, standing: RateStanding) => void
type LimitNames = Readonly<Record<'limit' | 'remaining' | 'reset', string>>

/** https://platform.openai.com/docs/guides/rate-limits */
const openAiNames = (unit: Unit): LimitNames => ({
  limit: `x-ratelimit-limit-${unit}`,
  remaining: `x-ratelimit-remaining-${unit}`,
  reset: `x-ratelimit-reset-${unit}`,
})

/** https://docs.claude.com/en/api/rate-limits */
const anthropicNames = (unit: Unit): LimitNames => ({
  limit: `anthropic-ratelimit-${unit}-limit`,
  remaining: `anthropic-ratelimit-${unit}-remaining`,
  reset: `anthropic-ratelimit-${unit}-reset`,
})

/** A name that is put together for each call costs more than the rest of its header. */
const withNames = (namesOf: (unit: Unit) => LimitNames, resetOf: (reset: RateReset) => string): AddLimit => {
  const names = { requests: namesOf('requests'), tokens: namesOf('tokens') }
  return (headers, unit, { limit, remaining, reset }) => {
    headers[names[unit].limit] = String(limit)
    headers[names[unit].remaining] = String(remaining)
    if (reset) headers[names[unit].reset] = resetOf(reset)
  }
}

const addOpenAiLimit = withNames(openAiNames, ({ seconds }) => `${seconds}s`)
const addAnthropicLimit = withNames(anthropicNames, ({ at }) => new Date(at).toISOString().replace(/\.\d+/, ''))

/**
 * Headers of every relay response for browsers. Any page may read it with its visitor's key, as cookies do not count here; but it is data
 * and never a document on the console's origin, whatever an upstream wrote into it.
 */
export const browserHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
} as const

const browserDefaults = new Headers(browserHeaders)

/** The content type is ours: every mode responds with JSON, whatever the upstream declared. */
const wholeDefaults = new Headers({ ...browserHeaders, 'content-type': 'application/json' })

/** Returns a response in JSON, with `browserHeaders` and its own. */
export const wholeResponse = (body: BodyInit, own: Readonly<Record<string, string>>): Response =>
  withHeaders(new Response(body, { headers: wholeDefaults }), own)

/** Returns a response with `browserHeaders` and its own, which name its content type. */
export const relayResponse = (body: BodyInit | null, own: Readonly<Record<string, string>>): Response =>
  withHeaders(new Response(body, { headers: browserDefaults }), own)

/** The runtime copies headers that are there already for less than it takes to read them from an object. */
function withHeaders(response: Response, own: Readonly<Record<string, string>>): Response {
  const { headers } = response
  for (const name in own) headers.set(name, own[name] ?? '')
  return response
}

/** Returns the response to a CORS preflight request. */
export function preflight(request: Request): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...browserHeaders,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
      'access-control-max-age': '86400',
      // A page on the internet may call a gateway on its visitor's network, if it has a key.
      ...(request.headers.has('access-control-request-private-network') && {
        'access-control-allow-private-network': 'true',
      }),
    },
  })
}

/** Adds `browserHeaders` to a response that was written without them. */
export function withBrowserHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(browserHeaders)) response.headers.set(name, value)
  return response
}

/** Returns whether a browser would show the response as a page, as it does for a form that another site submits. */
export const isNavigation = (request: Request): boolean => request.headers.get('sec-fetch-mode') === 'navigate'
