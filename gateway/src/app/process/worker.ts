import { HealthNews, HealthReading, RequestedChannels, type NodeHealth } from '../../channels/health/health-reading'
import type { Health } from '../../channels/health/health'
import type { Config } from '../../platform/config/config'
import type { Context } from '../../context'
import type { LogWriter } from '../../platform/telemetry/log/log-writer'
import { openDataFolder, type DataFolder } from '../../platform/store/data-folder'
import { unknownVariables } from '../../platform/config/unknown-variables'
import { queryWorkers } from './query-workers'
import { awaitDatabase } from './await-database'
import { giveBackMemory } from './give-back-memory'
import { readSupervisorMessage, type WorkerMessage } from './messages'
import type { WorkerOrders } from './orders'
import { prepareNode } from './prepare-node'
import { startWorker } from './start-worker'
import { systemTimers } from '../../platform/time/timers'
import { version } from '../../platform/config/version'

/** Handles calls until told to stop. Resolves with the exit code. */
export async function work(config: Config, orders: WorkerOrders, writeLog: LogWriter): Promise<number> {
  endWithSupervisor()
  const folder = openDataFolder(config.dataDir)
  const setupCode = orders.setupCode ?? (await prepareFor(config, folder, writeLog))
  const stopped = awaitStopSignal()
  const worker = await startWorker(config, folder, {
    workerId: orders.workerId,
    setupCode,
    contextParts: {
      publishToWorkers: config.workers > 1 ? (news) => sendToSupervisor({ kind: 'health', news }) : undefined,
      nodeHealthOf: config.workers > 1 ? healthOfAll : undefined,
    },
    queryNodeWorkers: queryWorkers,
    hear: hearOtherWorkers,
  })
  giveBackMemory(worker.inFlight, systemTimers)
  sendToSupervisor({ kind: 'listening', url: worker.url, setting: settingOf(config, folder) })

  await stopped
  await worker.stop()
  return 0
}

/** Reads the health of channels from every worker of this node. */
const healthOfAll = (own: Health): NodeHealth =>
  queryWorkers({
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

const sendToSupervisor = (message: WorkerMessage) => process.send?.(message)

/** As the first, this worker does what is done once per start. A signal to stop ends it: there is nothing to finish. */
async function prepareFor(config: Config, folder: DataFolder, writeLog: LogWriter): Promise<string> {
  for (const { name, meant } of unknownVariables(process.env))
    writeLog('warn', `${name} has no effect.${meant === null ? '' : ` Did you mean ${meant}?`}`)
  await awaitDatabase(config, writeLog)
  const preparation = await prepareNode(config, folder, writeLog)
  sendToSupervisor({ kind: 'prepared', workers: config.workers, ...preparation })
  return preparation.setupCode
}

/** Without the supervisor no process guards the data folder. */
const endWithSupervisor = () => process.on('disconnect', () => process.exit(1))

/** The supervisor's signal, or one to the whole process group. */
const awaitStopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
  })

/** Returns the effective configuration without secrets: the first thing an operator looks for in a log. */
const settingOf = (config: Config, folder: Pick<DataFolder, 'path'>): Record<string, string | number> => ({
  version,
  database: config.databaseUrl ? `PostgreSQL at ${locationOf(config.databaseUrl)}` : 'SQLite in the data folder',
  limits: config.redisUrl ? `Redis at ${locationOf(config.redisUrl)}` : 'in the memory of each worker',
  workers: config.workers,
  dataDir: folder.path,
  secretKey: config.secretKey ? 'SECRET_KEY' : 'a file in the data folder',
})

/** Host, port and database. The rest of a URL may contain a password. */
function locationOf(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname.replace(/^\/$/, '')
}
