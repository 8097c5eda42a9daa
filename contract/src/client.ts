import { Envelope } from './envelope'
import type { ErrorCode } from './errors'
import { userIdHeader, viewAsHeader } from './headers'
import type { SecondFactorAsked } from './second-factor'
import { stepUpHeader } from './step-up'
import type { FileRoute, Route, RouteAnswer, RouteBeside, RouteSent } from './route'

export interface ClientOptions {
  /** Without a trailing slash; empty for the page's own server. */
  readonly baseUrl: string
  readonly fetch?: (request: Request) => Promise<Response>
  /** The user the caller takes itself for; goes with a cookie. */
  readonly userId?: number
  /** The user as whom what is read is seen. */
  readonly viewAs?: number
  /** Where the browser does not keep cookies: the whole header. */
  readonly cookie?: string
  readonly accessToken?: string
  readonly language?: 'zh' | 'en'
}

/** A call that did not succeed: by the envelope, or without one (`code` undefined). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    message: string,
    readonly status: number,
    readonly code: ErrorCode | undefined,
    readonly requestId: string | undefined,
    /** The part of the input that was refused, where it is one part. */
    readonly field?: string,
    /** What a sign-in lacks that was refused with `login.second_factor`. */
    readonly secondFactor?: SecondFactorAsked,
  ) {
    super(message)
  }
}

/** What a call answers; what stands beside `data` in the envelope comes separately. */
export interface ApiAnswer<R extends Route> {
  readonly data: RouteAnswer<R>
  readonly beside: RouteBeside<R>
}

export interface Client {
  /**
   * Make a call and answer its `data`.
   * @throws ApiError when it does not succeed; TypeError when the network fails.
   */
  call<R extends Route>(route: R, input?: RouteSent<R>): Promise<RouteAnswer<R>>
  /** The same, with what stands beside `data`. */
  callWhole<R extends Route>(route: R, input?: RouteSent<R>): Promise<ApiAnswer<R>>
  /**
   * Ask for a file. Its body may still be arriving; `Content-Disposition` says its name.
   * @throws ApiError when it does not succeed; TypeError when the network fails.
   */
  download<R extends FileRoute>(route: R, input?: RouteSent<R>): Promise<Response>
}

/** The typed way to the console API, in a browser or anywhere else. */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? ((request: Request) => fetch(request))
  async function callWhole<R extends Route>(route: R, input: RouteSent<R> = {}): Promise<ApiAnswer<R>> {
    const response = await send(requestOf(route, input, options))
    return answerOf(route, response)
  }
  async function download<R extends FileRoute>(route: R, input: RouteSent<R> = {}): Promise<Response> {
    const response = await send(requestOf(route, input, options))
    if (response.ok && response.headers.get('Content-Type')?.startsWith(route.media)) return response
    throw await failureOf(response)
  }
  return { callWhole, download, call: async (route, input) => (await callWhole(route, input)).data }
}

function requestOf(route: Route, input: RouteSent<Route>, options: ClientOptions): Request {
  const body = route.body ? JSON.stringify(input.body ?? {}) : undefined
  return new Request(`${options.baseUrl}${addressOf(route, input)}`, {
    method: route.method,
    headers: headersOf(options, route.method !== 'GET', input.stepUpProof),
    body,
    cache: 'no-store',
  })
}

/** Returns where a route is called, without the host. */
export const addressOf = (route: Route, { params, query }: Pick<RouteSent<Route>, 'params' | 'query'>): string =>
  pathOf(route, params) + queryOf(query)

const pathOf = (route: Route, params: Readonly<Record<string, unknown>> = {}) =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, textOf(value)])).toString()
  return text && `?${text}`
}

/** Joins a list with line breaks, as `linesText` reads it. */
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : String(value))

function headersOf(
  { userId, viewAs, cookie, accessToken, language }: ClientOptions,
  isWrite: boolean,
  stepUpProof: string | undefined,
): Headers {
  const headers = new Headers()
  if (stepUpProof !== undefined) headers.set(stepUpHeader, stepUpProof)
  // Also without a body: no form of another site can say so.
  if (isWrite) headers.set('Content-Type', 'application/json')
  if (userId !== undefined) headers.set(userIdHeader, String(userId))
  if (viewAs !== undefined) headers.set(viewAsHeader, String(viewAs))
  if (cookie !== undefined) headers.set('Cookie', cookie)
  if (accessToken !== undefined) headers.set('Authorization', `Bearer ${accessToken}`)
  if (language !== undefined) headers.set('Accept-Language', language)
  return headers
}

/**
 * Returns what a call of the route answers, from parts that came another way.
 * @throws ZodError if they are not what the route answers.
 */
export const parsedAnswer = <R extends Route>(route: R, data: unknown, beside: unknown): ApiAnswer<R> => ({
  data: route.data?.parse(data) as RouteAnswer<R>,
  beside: route.beside?.parse(beside) as RouteBeside<R>,
})

/** The server checks its answers against the contract in its tests, so the envelope alone is looked at here. */
async function answerOf<R extends Route>(route: R, response: Response): Promise<ApiAnswer<R>> {
  const envelope = await envelopeOf(response)
  if (!envelope?.success) throw errorOf(response, envelope)
  const { success: _success, message: _message, code: _code, request_id: _id, data, ...beside } = envelope
  return { data: data as RouteAnswer<R>, beside: (route.beside ? beside : undefined) as RouteBeside<R> }
}

const failureOf = async (response: Response) => errorOf(response, await envelopeOf(response))

async function envelopeOf(response: Response): Promise<Envelope | undefined> {
  return Envelope.safeParse(await response.json().catch(() => undefined)).data
}

/** Without an envelope something else than the gateway answered. */
const errorOf = ({ status, statusText }: Response, envelope: Envelope | undefined) =>
  new ApiError(
    sentenceOf(envelope) ?? statusText,
    status,
    envelope?.code,
    envelope?.request_id,
    envelope?.field,
    envelope?.second_factor,
  )

/** Calls of payment say what went wrong as `data`. */
const sentenceOf = (envelope: Envelope | undefined): string | undefined =>
  envelope?.message === 'error' && typeof envelope.data === 'string' ? envelope.data : envelope?.message
