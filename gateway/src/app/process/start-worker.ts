import { z } from 'zod'

import type { Config } from '../../platform/config/config'
import type { Context } from '../../context'
import { features } from '../../console-api/features'
import { createApp } from '../../http/app'
import { createConsoleFiles } from '../../http/console-files/console-files'
import { scriptOrigins } from '../../http/console-files/page-headers'
import { Readiness } from '../../http/health-routes'
import { Jobs } from '../jobs/jobs'
import { limiterOf } from '../../http/limits/create-limiter'
import { registerGauges } from './gauges'
import { Readings } from '../../platform/telemetry/metrics/readings'
import { InFlight } from '../../relay/in-flight/in-flight'
import { createRelay, type Relay } from '../../relay/relay-app'
import { levelOf } from '../../platform/store/database-watch'
import { Refusals } from '../../relay/refusals/refusals'
import type { DataFolder } from '../../platform/store/data-folder'
import type { queryWorkers } from './query-workers'
import { createContext, type ContextOverrides } from './create-context'
import { listen } from './listen'
import { watchNode } from './watch-node'
import { workerState } from './worker-state'
import { within, type Timers } from '../../platform/time/timers'
import { logLevelNote } from '../../platform/store/site-notes'

interface WorkerDeps {
  readonly workerId: string
  /** Empty when the gateway is set up. */
  readonly setupCode: string
  readonly contextParts?: ContextOverrides
  /** Asks the workers of this node. */
  readonly queryNodeWorkers: typeof queryWorkers
  /** Called with what follows the news of other workers. */
  readonly hear?: (context: Pick<Context, 'health'>) => void
}

/** A worker that handles calls, apart from the process it runs in. */
export interface RunningWorker {
  /** Without a trailing slash. */
  readonly url: string
  readonly inFlight: InFlight
  /** Lets the calls in flight end, and closes everything. */
  stop(): Promise<void>
}

/** For a worker without others. */
export const queryOwnWorker: typeof queryWorkers =
  ({ own }) =>
  async (about) => [own(about)]

/** Connects a worker to its database and listens. The node must be prepared. */
export async function startWorker(config: Config, folder: DataFolder, deps: WorkerDeps): Promise<RunningWorker> {
  const { workerId, setupCode, queryNodeWorkers } = deps
  const { context, close } = await createContext(config, folder, workerId, deps.contextParts)
  deps.hear?.(context)
  followLogLevel(context)
  const readiness = new Readiness()
  const secretsProblem = await context.secrets.problem()
  if (secretsProblem !== null) context.log.error(`${secretsProblem} Until then this node is not ready.`)
  readiness.recordCheck(secretsProblem === null ? 'ready' : 'secrets')
  const inFlight = new InFlight(context, config.memoryInFlight)
  const limiter = await limiterOf(context)
  const refusals = new Refusals(context)
  registerGauges(context, { inFlight, readiness, limiter })
  const metrics = queryNodeWorkers({
    topic: 'metrics',
    own: () => context.metrics.read(),
    about: z.undefined(),
    value: Readings,
  })
  const jobs = new Jobs({ context, holderId: workerId })
  // Parsed by the worker that asks, which is rare: their schemas are not loaded here.
  const states = queryNodeWorkers({
    topic: 'state',
    own: (): unknown => workerState(context, { workerId, inFlight, jobs }),
    about: z.undefined(),
    value: z.unknown(),
  })
  const logLines = queryNodeWorkers({
    topic: 'log-lines',
    own: (): unknown => context.recentLines.read(),
    about: z.undefined(),
    value: z.unknown(),
  })
  const relay = createRelay(context, { inFlight, limiter, refusals })
  const app = createApp(context, {
    features,
    relay,
    pages: createConsoleFiles({
      options: () => context.catalog.current.options,
      scriptOrigins: () => scriptOrigins(context.catalog.current.options, context.config.serviceUrls),
    }),
    readiness,
    limiter,
    setupCode,
    metrics: () => metrics(undefined),
    workers: { states: () => states(undefined), logLines: () => logLines(undefined) },
  })
  const server = listen(config, app.fetch, {
    onFailure: (error) => context.log.error({ error }, 'a request failed unexpectedly'),
  })
  await jobs.start()
  const endBatches = runBatches(context, relay.batches)
  const endWatch = watchNode(context, { nodeId: folder.nodeId, readiness })
  return {
    url: server.url,
    inFlight,
    async stop() {
      endWatch()
      const draining = drain({ config, readiness, inFlight, server, timers: context.timers })
      // Calls of batches are in flight like others.
      const batchesEnd = endBatches()
      const [isDone] = await Promise.all([draining, jobs.stop()])
      await within(context.timers, batchEndMs, batchesEnd, undefined)
      if (!isDone) context.log.warn('calls were cut: they did not end within SHUTDOWN_TIMEOUT')
      refusals.flush()
      await limiter.close()
      await close()
    },
  }
}

const batchesEveryMs = 2000
/** How long the results of calls that were in flight may take to be stored. */
const batchEndMs = 2000

/** Takes batches that wait, when one is submitted and every two seconds. Returns what ends that, after the calls under way. */
function runBatches({ changes, log, timers }: Pick<Context, 'changes' | 'log' | 'timers'>, batches: Relay['batches']) {
  const tick = () =>
    void batches.tick().catch((error: unknown) => log[levelOf(error, 'error')]({ error }, 'batches could not be taken'))
  const endTicks = timers.every(batchesEveryMs, tick)
  changes.listen((news) => {
    if (news.some(({ topic }) => topic === 'task')) tick()
  })
  return async () => {
    endTicks()
    await batches.stop()
  }
}

interface Draining {
  readonly config: Pick<Config, 'shutdownDelayMs' | 'shutdownTimeoutMs'>
  readonly readiness: Readiness
  readonly inFlight: InFlight
  readonly timers: Timers
  readonly server: { stop(closesConnections?: boolean): Promise<void> }
}

/** How long calls that are cut may take to be charged and to send their error. */
const cutMs = 1000

/**
 * Readiness changes first; the port stays open until load balancers have noticed. Then no new connection is accepted, the calls in
 * flight may end, and sessions end after the response that runs. What has not ended in time is cut with an error, and charged for what it received. Resolves with whether nothing was
 * cut.
 */
async function drain({ config, readiness, inFlight, server, timers }: Draining): Promise<boolean> {
  readiness.setDraining()
  await timers.wait(config.shutdownDelayMs)
  const stopping = server.stop()
  inFlight.sessions.drain()
  const isDone = await inFlight.whenIdle(config.shutdownTimeoutMs)
  if (!isDone) {
    inFlight.upstreams.stopAll('shutdown')
    await inFlight.whenIdle(cutMs)
  }
  await within(timers, 100, stopping, undefined)
  await server.stop(true)
  return isDone
}

type Deps = Pick<Context, 'changes' | 'clock' | 'config' | 'database' | 'log' | 'timers'>

/** Keeps the level of this worker's log at what was set at run time for all, and returns to the configured one in time. */
export function followLogLevel(ctx: Deps): void {
  let cancel = () => {}
  async function follow() {
    const { levelNow } = await import('../../platform/store/log-level')
    const { level, until } = await levelNow(ctx)
    ctx.log.level = level
    cancel()
    if (until === null) return
    cancel = ctx.timers.after(until * 1000 - ctx.clock.now(), () => (ctx.log.level = ctx.config.logLevel))
  }
  const followSafely = () =>
    follow().catch((error: unknown) => ctx.log.warn({ error }, 'the level of the log could not be read'))
  ctx.changes.listen(async (news) => {
    if (news.some(({ topic }) => topic === 'log-level')) await followSafely()
  })
  void ctx.database.query
    .selectFrom('site_notes')
    .select('name')
    .where('name', '=', logLevelNote)
    .executeTakeFirst()
    .then((row) => row && followSafely(), followSafely)
}
