import { auditDone, type Route } from '@tollgate/contract'

import { AppError } from '../platform/app-error'
import type { AuditLog, AuditTrail } from '../accounts/audit/audit-log'
import type { Context } from '../context'
import type { Limiter } from './limits/limiter'
import type { Database } from '../platform/store/database'
import { codeOfUniqueViolation, DatabaseUnavailableError } from '../platform/store/database-errors'
import { changedOnce } from '../platform/store/marked-database'
import {
  callbackResponse,
  checkResponse,
  failureResponse,
  type ResponseContext,
  ResponseMismatch,
  successResponse,
} from './response/envelope'
import { clientAddress, isSecure } from './request/client-address'
import { fileResponse, type FileResult } from './response/file-response'
import { endedBody } from './limits/byte-budget'
import { WorkQueue } from '../platform/time/work-queue'
import { guard, hasScope } from './guard'
import type { Call, Handler, Site } from './handler'
import { isKeyed, oncePerKey } from './once-per-key'
import { consoleLanguage } from './language'
import { readInput } from './request/read-input'
import { tlsHeaders } from './response/tls-headers'
import { newRequestId } from './request/request-id'
import { requireHuman } from './sign-in/require-human'
import { requireStepUp } from './sign-in/require-step-up'
import { limitAddressCall, limitGuestCall, limitRoute, limitUserCall } from './request/request-limits'
import type { UntrustedProxies } from './request/untrusted-proxies'
import { viewedCaller } from './view-as'
import { isWriteRoute, type PathEntry } from './route-table'
import { limitSignIn } from './sign-in/sign-in-limits'

/** What every console call depends on. */
export interface ConsoleServer {
  readonly ctx: Context
  readonly site: Site
  readonly limiter: Limiter
  readonly audit: AuditLog
  readonly untrustedProxies: UntrustedProxies
  /** Counts for all workers together. */
  readonly sharedLimiter: Limiter
  readonly mustCheckResponses: boolean
}

/** Where a request arrived. */
export interface Arrival {
  readonly request: Request
  /** The socket peer's address. */
  readonly address: string
  /** Undefined: no route has this path. */
  readonly entry: PathEntry | undefined
  readonly pathParameters: Record<string, string>
}

type CallBase = Omit<Call, 'caller'>

/** Handles one console call. Every failure becomes an envelope. */
export async function handleCall(server: ConsoleServer, arrival: Arrival): Promise<Response> {
  const { base, trail } = begin(server, arrival)
  const responseContext = {
    requestId: base.requestId,
    language: base.language,
    headers: base.responseHeaders,
    hasStatusMessage: arrival.entry?.handlers.get(arrival.request.method)?.route.hasStatusMessage ?? false,
  }
  try {
    const { route, result } = await serve(server, arrival, base, trail)
    await trail.finish(auditDone)
    return toResponse(route, result, responseContext, server.mustCheckResponses)
  } catch (error) {
    const failure = asAppError(error, base)
    await trail.finish(failure.code)
    return failureResponse(failure, responseContext)
  }
}

function begin({ ctx, site, audit }: ConsoleServer, { request, address }: Arrival) {
  const { trustedProxies } = ctx.config
  const requestId = newRequestId(ctx)
  const clientIp = clientAddress(request, address, trustedProxies, ctx.catalog.current.options)
  const isOverTls = isSecure(request, address, trustedProxies)
  const trail = audit.begin({ request, requestId, clientIp })
  const base: CallBase = {
    ctx,
    site,
    request,
    requestId,
    audit: trail.note,
    clientIp,
    peer: address,
    isSecure: isOverTls,
    language: consoleLanguage(request.headers),
    responseHeaders: new Headers(isOverTls ? tlsHeaders : undefined),
  }
  return { base, trail }
}

interface Outcome {
  readonly data: unknown
  readonly envelopeFields: object | undefined
}

async function serve(server: ConsoleServer, arrival: Arrival, base: CallBase, trail: AuditTrail) {
  const { ctx, limiter, sharedLimiter } = server
  const { options } = ctx.catalog.current
  await limitAddressCall({ limiter, options }, base.clientIp)
  const { handler, caller } = await admit(server, arrival, base, trail)
  const { route } = handler
  const counts = route.limit === 'critical' || route.limit === 'password' ? sharedLimiter : limiter
  await limitRoute({ limiter: counts, options }, route, base.clientIp, caller?.userId)
  const input = await readInput(route, base.request, arrival.pathParameters, ctx)
  trail.calls(route, input)
  await requireHuman(route, input.query, { ctx, clientIp: base.clientIp, limiter: sharedLimiter })
  if (caller) await requireStepUp(route, input.body, { ...base, caller }, sharedLimiter)
  // Lets operators find the call in the log.
  await ctx.ledger.waitUntilApplied()
  const seenBy = await viewedCaller(route, caller, base)
  const act = (database: Database) =>
    handler.handle(input, { ...base, ctx: caller ? contextWith(database, route, server) : ctx, caller: seenBy })
  const handle = () => (caller ? oncePerKey(route, input, { ...base, caller }, act) : act(ctx.database))
  if (route.limit === 'export' && caller) return { route, result: await runExport(caller.userId, handle) }
  if (route.limit !== 'sign-in') return { route, result: await handle() }
  const guess = { account: accountIn(input.body), clientIp: base.clientIp, request: base.request }
  return { route, result: await limitSignIn(guess, { ctx, limiter: sharedLimiter }, handle) }
}

/** Returns the context of a handler whose changes go to `database`. In tests, only compound routes change it in several steps. */
function contextWith(database: Database, route: Route, { ctx, mustCheckResponses }: ConsoleServer): Context {
  if (mustCheckResponses && isKeyed(route) && !route.isCompound)
    return { ...ctx, database: changedOnce(database, `${route.method} ${route.path}`) }
  return database === ctx.database ? ctx : { ...ctx, database }
}

/** Resolves with the handler and its caller, counted as a user if known, else as a guest. @throws AppError. */
async function admit(server: ConsoleServer, arrival: Arrival, base: CallBase, trail: AuditTrail) {
  const { ctx, limiter, untrustedProxies } = server
  const { options } = ctx.catalog.current
  let isKnown = false
  try {
    const handler = handlerOf(arrival, base.responseHeaders)
    const { route } = handler
    trail.calls(route)
    checkOrigin(handler, base)
    const caller = await guard(
      ctx,
      route.access,
      base.request,
      async (identifiedCaller) => {
        isKnown = true
        trail.calledBy(
          { ...identifiedCaller, role: identifiedCaller.rank },
          identifiedCaller.isByAccessToken ? 'access_token' : 'session',
        )
        await limitUserCall({ limiter, options }, identifiedCaller.userId)
      },
      route.isOpenWithoutFactor,
    )
    const isUnknown = caller !== null && route.scope != null && !hasScope(caller, route.scope)
    return { handler, caller: isUnknown ? null : caller }
  } finally {
    untrustedProxies.observe(base.request, base.peer, isKnown)
    if (!isKnown) await limitGuestCall({ limiter, options }, base.clientIp)
  }
}

/** One after the other, for as long as each is downloaded. */
const exportsOfUsers = new WorkQueue({ running: Infinity, perKey: 1, waiting: 64 })

/** Resolves with a file when it is the turn of this export of the user, which ends with its last byte. @throws AppError `gateway.busy`. */
async function runExport(userId: number, handle: () => Promise<unknown>): Promise<unknown> {
  const turn = await exportsOfUsers.enter(userId)
  try {
    const file = (await handle()) as FileResult
    if (file.body instanceof ReadableStream) return { ...file, body: endedBody(file.body, turn) }
    turn[Symbol.dispose]()
    return file
  } catch (error) {
    turn[Symbol.dispose]()
    throw error
  }
}

/** Returns the account that a sign-in is for. */
function accountIn(body: unknown): string {
  const name: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'username') : undefined
  return typeof name === 'string' ? name : ''
}

/** What the handler returned is what the route declares: the types of `handler` ensure it. */
function toResponse(route: Route, result: unknown, responseContext: ResponseContext, mustCheck: boolean): Response {
  if (route.isCallback) return callbackResponse(result as Response, responseContext)
  if (route.media !== undefined) return fileResponse(route.media, result as FileResult, responseContext)
  const { data, envelopeFields } = route.envelopeFields
    ? (result as Outcome)
    : { data: result, envelopeFields: undefined }
  if (mustCheck) checkResponse(route, data, envelopeFields)
  return successResponse(data, envelopeFields, responseContext)
}

/** @throws AppError `route.unknown`, `method.wrong`. */
function handlerOf({ entry, request }: Arrival, responseHeaders: Headers): Handler {
  if (!entry) throw new AppError('route.unknown')
  const handler = entry.handlers.get(request.method)
  if (handler) return handler
  const allowed = [...entry.handlers.keys()].sort().join(', ')
  responseHeaders.set('Allow', allowed)
  throw new AppError('method.wrong', { params: { method: request.method, allowed } })
}

/** @throws AppError `demo.read_only`; `auth.forbidden` for what another site's page must not do with its visitor's browser. */
function checkOrigin({ route }: Handler, { ctx, request }: CallBase) {
  const isWrite = isWriteRoute(route)
  const isGuarded = isWrite || route.method !== 'GET' || route.isSameSiteOnly === true
  if (isGuarded && route.isCallback !== true && isFromOtherSite(request)) throw new AppError('auth.forbidden')
  if (isWrite && ctx.catalog.current.options.DemoSiteEnabled && !route.isOpenInDemo)
    throw new AppError('demo.read_only')
}

function asAppError(error: unknown, { ctx, request, requestId }: CallBase): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ResponseMismatch) throw error
  if (error instanceof DatabaseUnavailableError) return new AppError('db.down', { cause: error })
  const code = codeOfUniqueViolation(error)
  if (code) return new AppError(code, { cause: error })
  const { pathname } = new URL(request.url)
  ctx.log.error({ err: error, requestId, method: request.method, path: pathname }, 'a console call failed unexpectedly')
  return new AppError('server.error', { cause: error })
}

/**
 * Returns whether a page of another site makes this browser send the request. Browsers say so
 * (https://w3c.github.io/webappsec-fetch-metadata/) where the gateway is reached over TLS or on their own machine. Elsewhere `Origin`
 * tells where a form was submitted: other methods, and bodies declared as JSON, need a preflight from there, which is refused.
 */
function isFromOtherSite({ headers, method, url }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'cross-site'
  const origin = headers.get('origin')
  if (origin === null || method !== 'POST' || headers.get('content-type')?.startsWith('application/json')) return false
  const host = headers.get('host') ?? new URL(url).host
  return !URL.canParse(origin) || new URL(origin).host !== host
}
