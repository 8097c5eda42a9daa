import { Hono } from 'hono'

import { dropPlainCookies } from '../accounts/sessions/session-cookie'
import { createAuditLog } from '../accounts/audit/audit-log'
import type { Context } from '../context'
import { databaseLimiter } from './limits/database-limiter'
import { MemoryLimiter, type Limiter } from './limits/limiter'
import { handleCall, type ConsoleServer } from './handle-call'
import { areaOf } from './console-files/areas'
import type { ConsoleFiles } from './console-files/console-files'
import { clientAddress, isSecure } from './request/client-address'
import { UntrustedProxies } from './request/untrusted-proxies'
import { handlersOf, type AllWorkers, type Feature, type Handler, type Site } from './handler'
import { liveResponse, Readiness, readyResponse } from './health-routes'
import { openApiDocument } from './openapi'
import { ownMetrics, serveMetrics, type WorkersMetrics } from '../platform/telemetry/metrics/metrics-route'
import type { Upgrade } from './request/client-socket'
import { routeTable } from './route-table'
import { withTlsHeaders } from './response/tls-headers'
import { SetupAccess } from './setup-access'
import { chooseEncoding } from './console-files/accept-encoding'
import { limitAddressCall, limitGuestCall } from './request/request-limits'
import { newRequestId } from './request/request-id'
import { consoleLanguage } from './language'
import { failureResponse, responseHeaders } from './response/envelope'
import { AppError } from '../platform/app-error'

/** The socket a request arrived on. */
interface Connection {
  /** The peer's address. */
  readonly address: string
  /** Absent where there are no WebSockets. */
  readonly upgrade?: Upgrade
}

/** Anything that handles requests: a Hono app, or the whole server. */
export interface App {
  readonly fetch: (request: Request, connection: Connection) => Response | Promise<Response>
}

export interface AppOptions {
  readonly features: readonly Feature[]
  /** Handles every path that is not the console's. */
  readonly relay?: App
  /** The console's pages; without them the relay handles their addresses, too. */
  readonly pages?: ConsoleFiles
  readonly readiness?: Readiness
  /** Collects the metrics of all workers; default: of this one. */
  readonly metrics?: WorkersMetrics
  /** Required for setting the gateway up, except at this machine; empty: not required. */
  readonly setupCode?: string
  /** Default: there are no other workers. */
  readonly workers?: AllWorkers
  readonly limiter?: Limiter
  /** Compares every response with the contract. For tests. */
  readonly mustCheckResponses?: boolean
}

/**
 * Creates the whole server behind its socket: the relay, the console API with health, and the console's pages.
 * @throws Error when the routes contradict each other.
 */
export function createApp(ctx: Context, options: AppOptions): App {
  const startedAt = ctx.clock.seconds()
  const setupAccess = new SetupAccess(ctx, { code: options.setupCode ?? '', startedAt })
  const consoleApp = createConsole(ctx, options, { startedAt, setupAccess })
  const { relay, pages } = options
  return {
    fetch(request, connection) {
      setupAccess.observe(request)
      const area = areaOf(request.url)
      if (area === 'relay' && relay) return relay.fetch(request, connection)
      const isOverTls = isSecure(request, connection.address, ctx.config.trustedProxies)
      if (isOverTls) dropPlainCookies(request.headers)
      if (area === 'api' || !relay) return consoleApp.fetch(request, connection)
      const page = area === 'pages' ? pages?.respond(request) : undefined
      if (!page) return relay.fetch(request, connection)
      return isOverTls ? withTlsHeaders(page) : page
    },
  }
}

type Start = Pick<Site, 'startedAt' | 'setupAccess'>

function createConsole(ctx: Context, options: AppOptions, start: Start): Router {
  const { features, readiness = new Readiness() } = options
  const server = consoleServer(ctx, options, start)
  const app = consoleRouter(server)
  app.get('/health/live', liveResponse)
  app.get('/health/ready', () => readyResponse(ctx, readiness))
  app.get('/metrics', (c) =>
    serveMetrics(c.req.raw, {
      metricsToken: ctx.config.metricsToken,
      all: options.metrics ?? ownMetrics(ctx.metrics),
    }),
  )
  const document = documentOf(features)
  app.get('/api/openapi.json', (c) =>
    documentResponse(server, { request: c.req.raw, address: c.env.address }, document),
  )
  for (const feature of features) {
    const router = lazily(async () => consoleRouter(server, await feature.load()))
    for (const path of feature.paths) app.all(`${path}/*`, async (c) => (await router()).fetch(c.req.raw, c.env))
  }
  return app
}

type Router = Hono<{ Bindings: Connection }>

/** Routes calls to these handlers; a path that none of them has is refused by the console API. */
function consoleRouter(server: ConsoleServer, handlers: readonly Handler[] = []): Router {
  const router: Router = new Hono({ strict: false })
  for (const entry of routeTable(handlers)) {
    router.all(entry.pattern, (c) =>
      handleCall(server, {
        request: c.req.raw,
        address: c.env.address,
        entry,
        pathParameters: c.req.param() as Record<string, string>,
      }),
    )
  }
  router.notFound((c) =>
    handleCall(server, { request: c.req.raw, address: c.env.address, entry: undefined, pathParameters: {} }),
  )
  router.onError((error) => {
    throw error
  })
  return router
}

/** Returns a function that creates the value on its first call and returns the same one from then on. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => (value ??= make())
}

const consoleServer = (ctx: Context, options: AppOptions, start: Start): ConsoleServer => ({
  ctx,
  site: { ...start, workers: options.workers ?? noWorkers },
  audit: createAuditLog(ctx),
  untrustedProxies: new UntrustedProxies(ctx),
  limiter: options.limiter ?? new MemoryLimiter(() => ctx.clock.monotonic()),
  sharedLimiter: sharedLimiter(ctx, options),
  mustCheckResponses: options.mustCheckResponses ?? false,
})

const noWorkers: AllWorkers = { states: () => Promise.resolve([]), logLines: () => Promise.resolve([]) }

/** Without Redis the limits of a worker are its own: what must be shared is counted in the database. */
const sharedLimiter = (ctx: Context, { limiter }: AppOptions): Limiter =>
  ctx.config.redisUrl !== '' && limiter ? limiter : databaseLimiter(ctx.database, ctx.clock)

/** Generated on first use. */
function documentOf(features: readonly Feature[]): () => Promise<Document> {
  return lazily(async () => {
    const document = openApiDocument((await handlersOf(features)).map(({ route }) => route))
    const plain = Buffer.from(JSON.stringify(document))
    return { plain, gzip: Bun.gzipSync(plain) }
  })
}

/** A document that is the same for everyone, plain and packed. */
interface Document {
  readonly plain: Uint8Array<ArrayBuffer>
  readonly gzip: Uint8Array<ArrayBuffer>
}

/** Sends the description of the API to anyone, within the limit of all console calls. */
async function documentResponse(
  { ctx, limiter }: Pick<ConsoleServer, 'ctx' | 'limiter'>,
  { request, address }: { readonly request: Request; readonly address: string },
  read: () => Promise<Document>,
): Promise<Response> {
  try {
    const { options } = ctx.catalog.current
    const clientIp = clientAddress(request, address, ctx.config.trustedProxies, options)
    await limitAddressCall({ limiter, options }, clientIp)
    await limitGuestCall({ limiter, options }, clientIp)
    const document = await read()
    const isPacked = chooseEncoding(request.headers.get('accept-encoding'), ['gzip']) === 'gzip'
    const headers = { ...responseHeaders, vary: 'Accept-Encoding', ...(isPacked && { 'content-encoding': 'gzip' }) }
    return new Response(isPacked ? document.gzip : document.plain, { headers })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return failureResponse(error, {
      requestId: newRequestId(ctx),
      language: consoleLanguage(request.headers),
      headers: new Headers(),
      hasStatusMessage: false,
    })
  }
}
