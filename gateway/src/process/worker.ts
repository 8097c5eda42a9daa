import { z } from 'zod'

import { HealthNews } from '../channels/health/health-news'
import type { Health } from '../channels/health/health'
import { RequestedChannels, HealthReading, type NodeHealth } from '../channels/health/health-reading'
import type { Config } from '../config'
import type { Context } from '../context'
import { unknownVariables } from '../unknown-variables'
import { features } from '../features/features'
import { createApp } from '../http/app'
import { createConsoleFiles } from '../http/console-files/console-files'
import { scriptOrigins } from '../http/console-files/script-origins'
import { createReadiness } from '../http/readiness'
import { createJobs } from '../jobs/jobs'
import { registerGauges } from '../metrics/gauges'
import { Readings } from '../metrics/readings'
import { createInFlight } from '../relay/in-flight/in-flight'
import { limiterOf } from '../limits/create-limiter'
import { createRelay } from '../relay/relay-app'
import { awaitDatabase } from './await-database'
import { createContext } from './create-context'
import { openDataFolder, type DataFolder } from '../store/data-folder'
import { drain } from './drain'
import { followLogLevel } from './follow-log-level'
import type { Say } from '../log/say'
import { settingOf } from './setting'
import { giveBackMemory } from './give-back-memory'
import { listen } from './listen'
import { askWorkers } from './ask-workers'
import { readSupervisorMessage, type WorkerMessage } from './messages'
import type { WorkerOrders } from './orders'
import { prepareNode } from './prepare-node'
import { workerState } from './worker-state'

/** Handles calls until told to stop. Resolves with the exit code. */
export async function work(config: Config, orders: WorkerOrders, say: Say): Promise<number> {
  endWithSupervisor()
  const folder = openDataFolder(config.dataDir)
  const setupCode = orders.setupCode ?? (await prepareFor(config, folder, say))
  const stopped = whenToldToStop()
  const { context, close } = await createContext(config, folder, orders.workerId, {
    publishToWorkers: config.workers > 1 ? (news) => tellSupervisor({ kind: 'health', news }) : undefined,
    nodeHealthOf: config.workers > 1 ? healthOfAll : undefined,
  })
  hearOtherWorkers(context)
  followLogLevel(context)
  const readiness = createReadiness()
  const secretsProblem = await context.secrets.problem()
  if (secretsProblem !== null) context.log.error(`${secretsProblem} Until then this node is not ready.`)
  readiness.found(secretsProblem === null ? 'ready' : 'secrets')
  const inFlight = createInFlight(context.clock)
  const limiter = await limiterOf(context)
  registerGauges(context, { inFlight, readiness, limiter })
  const metrics = askWorkers({
    topic: 'metrics',
    own: () => context.metrics.read(),
    about: z.undefined(),
    value: Readings,
  })
  const jobs = createJobs({ context, holderId: orders.workerId })
  // Parsed by the worker that asks, which is rare: their schemas are not loaded here.
  const states = askWorkers({
    topic: 'state',
    own: (): unknown => workerState(context, { workerId: orders.workerId, inFlight, jobs }),
    about: z.undefined(),
    value: z.unknown(),
  })
  const logLines = askWorkers({
    topic: 'log-lines',
    own: (): unknown => context.recentLines.read(),
    about: z.undefined(),
    value: z.unknown(),
  })
  const app = createApp(context, {
    features,
    relay: createRelay(context, { inFlight, limiter }),
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
  const server = listen(config, app.fetch)
  giveBackMemory(inFlight)
  await jobs.start()
  tellSupervisor({ kind: 'listening', url: server.url, setting: settingOf(config, folder) })

  await stopped
  const [isDone] = await Promise.all([drain({ config, readiness, inFlight, server }), jobs.stop()])
  if (!isDone) context.log.warn('calls were cut: they did not end within SHUTDOWN_TIMEOUT')
  await limiter.close()
  await close()
  return 0
}

/** Reads the health of channels from every worker of this node. */
const healthOfAll = (own: Health): NodeHealth =>
  askWorkers({
    topic: 'channels',
    own: (channelIds: readonly number[]) => own.read(channelIds),
    about: RequestedChannels,
    value: HealthReading,
  })

/** Follows what other workers learned about channels; a supervisor of another release may send what this one does not know. */
function hearOtherWorkers({ health }: Pick<Context, 'health'>): void {
  process.on('message', (received: unknown) => {
    const message = readSupervisorMessage(received)
    if (message?.kind !== 'health') return
    const { success, data } = HealthNews.safeParse(message.news)
    if (success) health.receive(data)
  })
}

const tellSupervisor = (message: WorkerMessage) => process.send?.(message)

/** As the first, this worker does what is done once per start. A signal to stop ends it: there is nothing to finish. */
async function prepareFor(config: Config, folder: DataFolder, say: Say): Promise<string> {
  for (const { name, meant } of unknownVariables(process.env))
    say('warn', `${name} has no effect.${meant === null ? '' : ` Did you mean ${meant}?`}`)
  await awaitDatabase(config, say)
  const preparation = await prepareNode(config, folder)
  tellSupervisor({ kind: 'prepared', workers: config.workers, ...preparation })
  return preparation.setupCode
}

/** Without the supervisor no process guards the data folder. */
const endWithSupervisor = () => process.on('disconnect', () => process.exit(1))

/** The supervisor's signal, or one to the whole process group. */
const whenToldToStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
  })
