import { auditDone, type Route } from '@tollgate/contract'

import { AppError } from '../app-error'
import type { AuditLog, AuditTrail } from '../audit/audit-log'
import type { Context } from '../context'
import type { Limiter } from '../limits/limiter'
import { DatabaseAway } from '../store/database-away'
import { codeOfUniqueViolation } from '../store/unique-violation'
import { AnswerMismatch, checkAnswer } from './check-answer'
import { clientAddress, isSecure } from './client-address'
import { isDirectLocal } from './direct-local'
import { failureAnswer, successAnswer, type Answered } from './envelope'
import { fileAnswer, type FileAnswer } from './file-answer'
import { guard } from './guard'
import type { Call, Handler, Site } from './handler'
import { consoleLanguage } from './language'
import { readInput } from './read-input'
import { newRequestId } from './request-id'
import { requireStepUp } from './require-step-up'
import { limitAccount, limitCall, limitRoute } from './request-limits'
import { isWriteRoute, type PathEntry } from './route-table'

/** What every console call stands on. */
export interface ConsoleServer {
  readonly ctx: Context
  readonly site: Site
  readonly limiter: Limiter
  readonly audit: AuditLog
  readonly mustCheckAnswers: boolean
}

/** Where a request arrived. */
export interface Arrival {
  readonly request: Request
  /** Of the peer of the socket. */
  readonly address: string
  /** Undefined: no route has this path. */
  readonly entry: PathEntry | undefined
  readonly pathParameters: Record<string, string>
}

type Beginning = Omit<Call, 'caller'>

/** Answer one console call. Whatever goes wrong becomes an envelope. */
export async function answerCall(server: ConsoleServer, arrival: Arrival): Promise<Response> {
  const { begun, trail } = begin(server, arrival)
  const answered = { requestId: begun.requestId, language: begun.language, headers: begun.answerHeaders }
  try {
    const { route, result } = await serve(server, arrival, begun, trail)
    await trail.ended(auditDone)
    return resultAnswer(route, result, answered, server.mustCheckAnswers)
  } catch (error) {
    const failure = asAppError(error, begun)
    await trail.ended(failure.code)
    return failureAnswer(failure, answered)
  }
}

function begin({ ctx, site, audit }: ConsoleServer, { request, address }: Arrival) {
  const { trustedProxies } = ctx.config
  const requestId = newRequestId(ctx)
  const clientIp = clientAddress(request, address, trustedProxies, ctx.catalog.current.options)
  const trail = audit.begin({ request, requestId, clientIp })
  const begun: Beginning = {
    ctx,
    site,
    request,
    requestId,
    audit: trail.note,
    clientIp,
    isDirectLocal: isDirectLocal(request, address, ctx.config),
    isSecure: isSecure(request, address, trustedProxies),
    language: consoleLanguage(request.headers),
    answerHeaders: new Headers(),
  }
  return { begun, trail }
}

interface Outcome {
  readonly data: unknown
  readonly beside: object | undefined
}

async function serve({ ctx, limiter }: ConsoleServer, arrival: Arrival, begun: Beginning, trail: AuditTrail) {
  await limitCall(limiter, begun.clientIp)
  const handler = handlerOf(arrival, begun.answerHeaders)
  const { route } = handler
  trail.calls(route)
  checkOrigin(handler, begun)
  const caller = await guard(ctx, route.access, begun.request, (who) =>
    trail.calledBy(who, who.isByAccessToken ? 'access_token' : 'session'),
  )
  await limitRoute(limiter, route, begun.clientIp, caller?.userId)
  const input = await readInput(route, begun.request, arrival.pathParameters, ctx.config)
  trail.calls(route, input)
  await limitAccount(limiter, route, input.body)
  if (caller) await requireStepUp(route, input.body, { ...begun, caller }, limiter)
  // Whoever looks after a call finds it.
  await ctx.ledger.applied()
  return { route, result: await handler.handle(input, { ...begun, caller }) }
}

/** What the handler returned is what the route declares: the types of `handler` see to it. */
function resultAnswer(route: Route, result: unknown, answered: Answered, mustCheck: boolean): Response {
  if (route.media !== undefined) return fileAnswer(route.media, result as FileAnswer, answered)
  const { data, beside } = route.beside ? (result as Outcome) : { data: result, beside: undefined }
  if (mustCheck) checkAnswer(route, data, beside)
  return successAnswer(data, beside, answered)
}

/** @throws AppError `route.unknown`, `method.wrong`. */
function handlerOf({ entry, request }: Arrival, answerHeaders: Headers): Handler {
  if (!entry) throw new AppError('route.unknown')
  const handler = entry.handlers.get(request.method)
  if (handler) return handler
  const allowed = [...entry.handlers.keys()].sort().join(', ')
  answerHeaders.set('Allow', allowed)
  throw new AppError('method.wrong', { params: { method: request.method, allowed } })
}

/** @throws AppError `demo.read_only`; `auth.forbidden` for a write that another site's page makes. */
function checkOrigin({ route }: Handler, { ctx, request }: Beginning) {
  if (!isWriteRoute(route)) return
  if (ctx.catalog.current.options.DemoSiteEnabled && !route.isOpenInDemo) throw new AppError('demo.read_only')
  if (request.headers.get('sec-fetch-site') === 'cross-site') throw new AppError('auth.forbidden')
}

function asAppError(error: unknown, { ctx, request, requestId }: Beginning): AppError {
  if (error instanceof AppError) return error
  if (error instanceof AnswerMismatch) throw error
  if (error instanceof DatabaseAway) return new AppError('db.down', { cause: error })
  const code = codeOfUniqueViolation(error)
  if (code) return new AppError(code, { cause: error })
  const { pathname } = new URL(request.url)
  ctx.log.error({ err: error, requestId, method: request.method, path: pathname }, 'a console call failed unexpectedly')
  return new AppError('server.error', { cause: error })
}
