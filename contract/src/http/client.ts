import type { ErrorCode } from './errors/errors'
import { idempotencyKeyHeader, userIdHeader, viewAsHeader } from './headers'
import { SecondFactorRequest, stepUpHeader } from '../rights/second-factor'
import type { FileRoute, Route, RouteEnvelopeFields, RouteResult, RouteSent } from './route'
import * as z from 'zod'

export interface ClientOptions {
  /** Without a trailing slash; empty for the page's own server. */
  readonly baseUrl: string
  readonly fetch?: (request: Request) => Promise<Response>
  /** The user that the caller believes to be; sent along with a cookie. */
  readonly userId?: number
  /** The user whose view is requested. */
  readonly viewAs?: number
  /** The whole header, where the browser does not keep cookies. */
  readonly cookie?: string
  readonly accessToken?: string
  readonly language?: 'zh' | 'en'
}

/** A failed call: as the envelope says, or without one (`code` undefined). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    message: string,
    readonly status: number,
    readonly code: ErrorCode | undefined,
    readonly requestId: string | undefined,
    /** The refused part of the input, where it is a single part. */
    readonly field?: string,
    /** What is missing for a sign-in that was refused with `login.second_factor`. */
    readonly secondFactor?: SecondFactorRequest,
  ) {
    super(message)
  }
}

/** The result of a call; sibling members of `data` in the envelope are separate. */
export interface ApiResult<R extends Route> {
  readonly data: RouteResult<R>
  readonly envelopeFields: RouteEnvelopeFields<R>
}

export interface Client {
  /** Makes a call and resolves with its `data`. @throws ApiError when it does not succeed; TypeError when the network fails. */
  call<R extends Route>(route: R, input?: RouteSent<R>): Promise<RouteResult<R>>
  /** Makes a call and resolves with `data` and its sibling members. */
  callWhole<R extends Route>(route: R, input?: RouteSent<R>): Promise<ApiResult<R>>
  /**
   * Requests a file. Its body may still be arriving; `Content-Disposition` has its name.
   * @throws ApiError when it does not succeed; TypeError when the network fails.
   */
  download<R extends FileRoute>(route: R, input?: RouteSent<R>): Promise<Response>
}

/** Creates a typed client of the console API, for a browser or anywhere else. */
export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? ((request: Request) => fetch(request))
  async function callWhole<R extends Route>(route: R, input: RouteSent<R> = {}): Promise<ApiResult<R>> {
    const response = await send(requestOf(route, input, options))
    return readResult(route, response)
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
    headers: headersOf(options, route.method !== 'GET', input),
    body,
    cache: 'no-store',
  })
}

/** Returns the address of a route, without the host. */
export const addressOf = (route: Route, { params, query }: Pick<RouteSent<Route>, 'params' | 'query'>): string =>
  pathOf(route, params) + queryOf(query)

const pathOf = (route: Route, params: Readonly<Record<string, unknown>> = {}) =>
  route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(present.map(([name, value]) => [name, textOf(value)])).toString()
  return text && `?${text}`
}

/** Joins a list with line breaks, as `linesText` reads it. */
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('\n') : String(value))

function headersOf(
  { userId, viewAs, cookie, accessToken, language }: ClientOptions,
  isWrite: boolean,
  { stepUpProof, idempotencyKey }: Pick<RouteSent<Route>, 'stepUpProof' | 'idempotencyKey'>,
): Headers {
  const headers = new Headers()
  if (idempotencyKey !== undefined) headers.set(idempotencyKeyHeader, idempotencyKey)
  if (stepUpProof !== undefined) headers.set(stepUpHeader, stepUpProof)
  // Sent even without a body: no form of another site can send it.
  if (isWrite) headers.set('Content-Type', 'application/json')
  if (userId !== undefined) headers.set(userIdHeader, String(userId))
  if (viewAs !== undefined) headers.set(viewAsHeader, String(viewAs))
  if (cookie !== undefined) headers.set('Cookie', cookie)
  if (accessToken !== undefined) headers.set('Authorization', `Bearer ${accessToken}`)
  if (language !== undefined) headers.set('Accept-Language', language)
  return headers
}

/** Returns the result of a route from parts that arrived in another way. @throws ZodError if they do not match the route. */
export const parseResult = <R extends Route>(route: R, data: unknown, envelopeFields: unknown): ApiResult<R> => ({
  data: route.data?.parse(data) as RouteResult<R>,
  envelopeFields: route.envelopeFields?.parse(envelopeFields) as RouteEnvelopeFields<R>,
})

async function readResult<R extends Route>(route: R, response: Response): Promise<ApiResult<R>> {
  const envelope = await envelopeOf(response)
  const result = envelope && resultIn(route, envelope)
  if (!result) throw errorOf(response, envelope)
  return result
}

/** Returns the result of a route from the body of its response; undefined if it is not one of a call that succeeded. */
export function parseBody<R extends Route>(route: R, body: string): ApiResult<R> | undefined {
  const envelope = Envelope.safeParse(jsonIn(body)).data
  return envelope && resultIn(route, envelope)
}

/** Undefined where a response broke off. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The server checks its responses against the contract in its tests, so only the envelope is checked here. */
function resultIn<R extends Route>(route: R, envelope: Envelope): ApiResult<R> | undefined {
  if (!envelope.success) return undefined
  const { success: _success, message: _message, code: _code, request_id: _id, data, ...envelopeFields } = envelope
  return {
    data: data as RouteResult<R>,
    envelopeFields: (route.envelopeFields ? envelopeFields : undefined) as RouteEnvelopeFields<R>,
  }
}

const failureOf = async (response: Response) => errorOf(response, await envelopeOf(response))

async function envelopeOf(response: Response): Promise<Envelope | undefined> {
  return Envelope.safeParse(await response.json().catch(() => undefined)).data
}

/** Without an envelope something other than the gateway responded. */
const errorOf = ({ status, statusText }: Response, envelope: Envelope | undefined) =>
  new ApiError(
    sentenceOf(envelope) ?? statusText,
    status,
    envelope?.code,
    envelope?.request_id,
    envelope?.field,
    envelope?.second_factor,
  )

/** Payment calls report the failure in `data`. */
const sentenceOf = (envelope: Envelope | undefined): string | undefined =>
  envelope?.message === 'error' && typeof envelope.data === 'string' ? envelope.data : envelope?.message

/** A gateway of a later release may send codes that its caller does not know; the message must get through regardless. */
const isErrorCode = (code: string): code is ErrorCode => code !== ''

/** The response of every console call. A business failure is HTTP 200 with `success: false` and a `code`. */
export const Envelope = z.looseObject({
  success: z.boolean(),
  message: z.string(),
  code: z.string().refine(isErrorCode).optional(),
  request_id: z.string().optional(),
  /** On failure: the refused part of the input, where it is a single part. */
  field: z.string().optional(),
  /** Present with the failure `login.second_factor`. */
  second_factor: SecondFactorRequest.optional(),
  data: z.unknown().optional(),
})
export type Envelope = z.output<typeof Envelope>
