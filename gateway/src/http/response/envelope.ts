import { requestIdHeader, type Route } from '@tollgate/contract'
import type { AppError } from '../../platform/app-error'
import { type Language, sentence } from '../language'
import { z } from 'zod'
import { strict } from '../request/strict'

/** On every response of the console API: it is not a page, and nothing of it may be cached or sniffed. */
export const responseHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** What every response carries besides its content. */
export interface ResponseContext {
  readonly requestId: string
  readonly language: Language
  readonly headers: Headers
  /** Has `success` or `error` as `message`: see `hasStatusMessage` of routes. */
  readonly hasStatusMessage?: boolean
}

export function successResponse(
  data: unknown,
  envelopeFields: object | undefined,
  responseContext: ResponseContext,
): Response {
  const message = responseContext.hasStatusMessage ? 'success' : ''
  return buildResponse({ success: true, message, data, ...envelopeFields }, 200, responseContext)
}

export function failureResponse(error: AppError, responseContext: ResponseContext): Response {
  const { requestId, language, headers } = responseContext
  if (error.retryAfterSeconds !== undefined) headers.set('Retry-After', String(error.retryAfterSeconds))
  // The rest of a body that was too slow is not waited for.
  if (error.status === 408) headers.set('Connection', 'close')
  const reason = sentence(error.code, error.params, language)
  const messageFields = responseContext.hasStatusMessage ? { message: 'error', data: reason } : { message: reason }
  const envelope = {
    success: false,
    ...messageFields,
    code: error.code,
    request_id: requestId,
    ...error.envelopeFields,
  }
  return buildResponse(envelope, error.status, responseContext)
}

/** Returns a handler's own response with the headers of every response; its own win. */
export function callbackResponse(response: Response, { requestId, headers }: ResponseContext): Response {
  for (const [name, value] of Object.entries(responseHeaders)) headers.set(name, value)
  response.headers.forEach((value, name) => headers.set(name, value))
  headers.set(requestIdHeader, requestId)
  return new Response(response.body, { status: response.status, headers })
}

function buildResponse(envelope: object, status: number, { requestId, headers }: ResponseContext): Response {
  for (const [name, value] of Object.entries(responseHeaders)) headers.set(name, value)
  headers.set(requestIdHeader, requestId)
  return new Response(JSON.stringify(envelope), { status, headers })
}

/** A response that does not match the contract. Only tests check this. */
export class ResponseMismatch extends Error {
  override readonly name = 'ResponseMismatch'
}

/** @throws ResponseMismatch when the response of a handler has other fields or types than its route says. */
export function checkResponse(route: Route, data: unknown, envelopeFields: unknown): void {
  checkPart(route, 'data', route.data, data)
  checkPart(route, 'envelopeFields', route.envelopeFields, envelopeFields)
}

function checkPart(route: Route, part: string, schema: z.ZodType | undefined, value: unknown) {
  if (!schema && value === undefined) return
  // As it will arrive.
  const sent: unknown = value === undefined ? undefined : JSON.parse(JSON.stringify(value))
  const result = strict(schema ?? z.undefined()).safeParse(sent)
  if (result.success) return
  throw new ResponseMismatch(
    `${route.method} ${route.path} responds with a wrong ${part}: ${z.prettifyError(result.error)}`,
  )
}
