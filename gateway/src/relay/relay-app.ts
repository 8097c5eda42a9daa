import { AppError } from '../platform/app-error'
import type { Context } from '../context'
import { clientAddress } from '../http/request/client-address'
import type { Upgrade } from '../http/request/client-socket'
import { relayLanguage } from '../http/language'
import { newRequestId } from '../http/request/request-id'
import { MemoryLimiter, type Limiter } from '../http/limits/limiter'
import { KeyTurns } from '../channels/routing/keys'
import { isNavigation, preflight, withBrowserHeaders } from './delivery/response-headers'
import { isModelCall, type IncomingCall, type BodySource, type ModelCall } from './call'
import { side, countTokens, describeModel } from './side-endpoints/side-endpoints'
import { isOpenRouterPath, pathContextAt, standardPath } from './stages/client-paths'
import { dialectOf, endpointAt, isLivePath, type Endpoint } from './stages/endpoint'
import { errorTypeOf, failureOf, failureResponse, isExpected } from './errors/failure'
import { BatchRunner } from './batches/batch-runner'
import { endRevoked } from './in-flight/end-revoked'
import type { InFlight } from './in-flight/in-flight'
import { relay } from './pipeline'
import { Refusals } from './refusals/refusals'
import type { RelayDeps } from './call-context'
import { platformFailureResponse } from './tasks/task-endpoint'
import { taskPlatformAt } from './tasks/task-platforms'

export interface RelayOptions {
  readonly inFlight: InFlight
  /** Default: a limiter of its own, as configured. */
  readonly limiter?: Limiter
  /** Default: one of its own, whose last rows are lost when the worker stops. */
  readonly refusals?: Refusals
}

/** The connection of a request. */
interface Connection {
  /** The socket peer's address. */
  readonly address: string
  /** Absent where there are no WebSockets. */
  readonly upgrade?: Upgrade
  /** Absent: the body is that of the request. */
  readonly source?: BodySource
}

/** Handles everything that is not the console's: model calls and the endpoints around them. */
export interface Relay {
  readonly fetch: (request: Request, connection: Connection) => Promise<Response>
  /** The batches that this worker runs. */
  readonly batches: BatchRunner
}

/** Builds the relay of a worker. */
export function createRelay(ctx: Context, { inFlight, limiter, refusals }: RelayOptions): Relay {
  const deps: RelayDeps = {
    ctx,
    inFlight,
    limiter: limiter ?? new MemoryLimiter(() => ctx.clock.monotonic()),
    keyTurns: new KeyTurns(),
    refusals: refusals ?? new Refusals(ctx),
  }
  const setup = new SetupState(ctx)
  endRevoked(ctx, inFlight.upstreams)
  ctx.changes.listen(() => inFlight.sessions.follow(ctx.catalog.current))
  const relayed: Relay = {
    batches: new BatchRunner(deps),
    async fetch(request, { address, upgrade, source }) {
      if (request.method === 'OPTIONS') return preflight(request)
      const leave = inFlight.enter()
      const call = incomingCall(request, { address, source }, ctx)
      try {
        if (!setup.isDone && !(await setup.check())) throw new AppError('gateway.setup')
        const responding = isResponsesUpgrade(call)
          ? openTurns(call, upgrade, (own, turn) => relayed.fetch(own, { address, source: turn }))
          : isModelCall(call)
            ? callModel(call, deps)
            : handleNonModelCall(call, upgrade, deps)
        return recordResponse(await responding, call, ctx)
      } catch (error) {
        deps.refusals.note(error, call)
        ctx.metrics.countFailure(errorTypeOf(error))
        return withBrowserHeaders(recordResponse(errorResponse(error, call, ctx), call, ctx, error))
      } finally {
        leave()
      }
    },
  }
  return relayed

  /** Few clients open one, so the code is loaded with the first. */
  async function openTurns(call: IncomingCall, upgrade: Upgrade | undefined, respond: Respond): Promise<Response> {
    const { openResponseSocket } = await import('./response-socket/open-response-socket')
    return openResponseSocket(call, upgrade, { deps, respond })
  }
}

type Respond = (request: Request, turn: BodySource) => Promise<Response>

function recordResponse(
  response: Response,
  call: IncomingCall,
  { clock, metrics }: Context,
  error?: unknown,
): Response {
  metrics.countResponse(call.dialect, response.status, clock.monotonic() - call.startedAt)
  call.trace?.recordResponse(response.status, error === undefined ? undefined : errorTypeOf(error))
  return response
}

/** Sessions over WebSockets; few sites have them, so the code is loaded with the first one. */
const realtimePaths: ReadonlySet<string> = new Set(['/v1/realtime', '/v1/realtime/client_secrets'])

async function handleNonModelCall(
  call: IncomingCall,
  upgrade: Upgrade | undefined,
  deps: RelayDeps,
): Promise<Response> {
  if (!realtimePaths.has(call.path) && !isLivePath(call.path))
    return withBrowserHeaders(await handleSideEndpoint(call, deps))
  const { realtime } = await import('./realtime/realtime')
  return realtime(call, upgrade, deps)
}

function callModel(call: ModelCall, deps: RelayDeps): Promise<Response> {
  if (call.method !== 'POST')
    throw new AppError('endpoint.method', { params: { method: call.method, allowed: 'POST' } })
  if (isNavigation(call.request)) throw new AppError('endpoint.navigation')
  return handlers[call.endpoint.kind](call, deps)
}

async function handleSideEndpoint(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const platform = taskPlatformAt(call.path)
  if (!platform) return side(call, deps)
  const { handleTaskCall } = await import('./tasks/task-call')
  return handleTaskCall(call, platform, deps)
}

const handlers: Readonly<Record<Endpoint['kind'], (call: ModelCall, deps: RelayDeps) => Promise<Response>>> = {
  call: relay,
  compact: async (call, deps) => {
    const { compact } = await import('./compaction/compact')
    return compact(call, deps)
  },
  count: async (call, deps) => withBrowserHeaders(await countTokens(call, deps)),
  describe: async (call, deps) => withBrowserHeaders(await describeModel(call, deps)),
}

/** Coding agents try a WebSocket first. */
const isResponsesUpgrade = ({ method, dialect, endpoint, request }: IncomingCall): boolean =>
  method === 'GET' &&
  dialect === 'openai-responses' &&
  endpoint?.kind === 'call' &&
  /\bwebsocket\b/i.test(request.headers.get('upgrade') ?? '')

function incomingCall(
  request: Request,
  { address, source }: Pick<Connection, 'address' | 'source'>,
  ctx: Context,
): IncomingCall {
  const catalog = ctx.catalog.current
  const startedAt = ctx.clock.monotonic()
  const requestId = newRequestId(ctx)
  const { path: requestedPath, query } = addressOf(request.url)
  const own = endpointAt(requestedPath)
  const path = own ? requestedPath : standardPath(requestedPath)
  const addressed = own ?? (path === requestedPath ? undefined : endpointAt(path))
  return {
    request,
    requestId,
    method: request.method,
    path,
    query,
    dialect: addressed?.endpoint.dialect ?? dialectOf(path, request.headers),
    hasNumericErrorCodes: !own && isOpenRouterPath(requestedPath),
    clientIp: clientAddress(request, address, ctx.config.trustedProxies, catalog.options),
    language: relayLanguage(request.headers),
    catalog,
    startedAt,
    findings: { caller: null, model: addressed?.pathContext.model ?? '', requests: null, tokens: null },
    endpoint: addressed?.endpoint ?? null,
    pathContext: own ? own.pathContext : addressed ? pathContextAt(requestedPath, addressed) : null,
    source,
    trace:
      ctx.tracing && addressed ? ctx.tracing.begin({ request, requestId, startedAt, ...addressed.endpoint }) : null,
  }
}

/** Returns path and query of an absolute URL, without parsing it; the path without trailing slashes. */
function addressOf(url: string): { path: string; query: string } {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start < 0) return { path: '/', query: '' }
  const mark = url.indexOf('?', start)
  let end = mark < 0 ? url.length : mark
  while (end > start + 1 && url[end - 1] === '/') end -= 1
  return { path: url.slice(start, end), query: mark < 0 ? '' : url.slice(mark) }
}

/** Returns the response that tells the client what went wrong. */
function errorResponse(error: unknown, call: IncomingCall, ctx: Context): Response {
  if (!isExpected(error) && !call.request.signal.aborted) {
    ctx.log.error({ error, requestId: call.requestId, path: call.path }, 'a call failed unexpectedly')
  }
  const platform = taskPlatformAt(call.path)
  if (platform) return platformFailureResponse(platform.failure(error, call), call)
  return failureResponse(failureOf(error, call), call)
}

/** Knows whether the gateway was set up. Once it is, the database is not asked again. */
class SetupState {
  #isDone = false

  constructor(private readonly context: Pick<Context, 'database'>) {}

  get isDone(): boolean {
    return this.#isDone
  }

  /** Resolves with whether it is by now. */
  async check(): Promise<boolean> {
    const row = await this.context.database.query.selectFrom('setups').select('id').limit(1).executeTakeFirst()
    this.#isDone ||= row !== undefined
    return this.#isDone
  }
}
