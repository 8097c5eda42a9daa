import type { DestinationStream } from 'pino'

import { createResponseStore } from '../../platform/stored-responses/create-response-store'
import { createAccountCache } from '../../accounts/callers/account-cache'
import { CatalogStore } from '../../channels/catalog/catalog-store'
import { createSecretsCheck } from '../../channels/catalog/secrets-check'
import type { Config, TraceSettings } from '../../platform/config/config'
import type { Context } from '../../context'
import { systemRandom, type Random } from '../../platform/random'
import { systemClock, type Clock } from '../../platform/time/clock'
import { createLedger } from '../../billing/ledger/open-ledger'
import { openLogs } from '../../billing/usage-log/open-logs'
import { createLog, createRecentLines } from '../../platform/telemetry/log/create-log'
import { LogTexts } from '../../platform/telemetry/log-texts/log-texts'
import { Metrics } from '../../platform/telemetry/metrics/metrics'
import { Health } from '../../channels/health/health'
import type { HealthNews, NodeHealth } from '../../channels/health/health-reading'
import { Changes } from '../../platform/store/changes'
import { openDatabase } from '../../platform/store/open-database'
import { DatabaseWatch } from '../../platform/store/database-watch'
import { createSeal } from '../../platform/store/seal'
import { createOutbound } from '../../platform/net/outbound/outbound'
import { guardedFetch } from '@tollgate/http-client'
import { createTurns } from '../../channels/turns/create-turns'
import { turnLimits } from '../../channels/turns/turns'
import { createVendorObjects } from '../../channels/vendor-objects/create-vendor-objects'
import { UpstreamClient } from '@tollgate/http-client'
import { commandRunner, type RunCommand } from '../../operations/command-runner'
import { version } from '../../platform/config/version'
import { systemTimers, type Timers } from '../../platform/time/timers'
import { otherKeyOf, secretKeyOf, type DataFolder } from '../../platform/store/data-folder'
import { ordersVariable } from './orders'
import { programCommand } from './program'
import { notifyPayer } from '../../messaging/messages/add-notification'

export interface ContextOverrides {
  readonly clock?: Clock
  readonly timers?: Timers
  readonly random?: Random
  /** Called with what this worker learned about a channel, for the other workers. */
  readonly publishToWorkers?: (news: HealthNews) => void
  /** Returns a reader of the health of all workers; by default there is only this one. */
  readonly nodeHealthOf?: (own: Health) => NodeHealth
  /** Default: this program, with the environment of this process. */
  readonly runCommand?: RunCommand
  /** Where lines of the log go. Default: the standard output. */
  readonly logTo?: DestinationStream
}

/** Creates everything a worker depends on, connected and listening for changes. `close` ends it in the right order. */
export async function createContext(
  config: Config,
  folder: DataFolder,
  workerId: string,
  {
    clock = systemClock,
    timers = systemTimers,
    random = systemRandom,
    publishToWorkers,
    nodeHealthOf = healthOfOne,
    runCommand = runProgram,
    logTo,
  }: ContextOverrides = {},
) {
  const recentLines = createRecentLines()
  const log = createLog(config, workerId, logTo, recentLines)
  const metrics = new Metrics()
  const base: ContextBase = { config, folder, workerId, clock, timers, random, log, metrics }
  const stores = await openStores(base)
  const records = await openRecords(base, stores)
  const logs = await openLogs(config, stores.database)
  const tracing = config.traces && (await openTracing(config.traces, base))
  const health = new Health({ clock, timers, publish: publishToWorkers })
  const network = openNetwork(base, stores)
  const responses = createResponseStore({ redisUrl: config.redisUrl, seal: stores.seal, clock, timers, log })
  forgetResponses(stores, responses)
  const context: Context = {
    config,
    clock,
    timers,
    random,
    log,
    recentLines,
    ...stores,
    ...records,
    ...logs,
    responses,
    health,
    nodeHealth: nodeHealthOf(health),
    metrics,
    notifyPayer: (movements, transaction) => notifyPayer({ clock }, movements, transaction),
    tracing,
    ...network,
    runCommand,
  }
  return {
    context,
    close: async () => {
      const { ledger, logTexts, vendorObjects, turns } = records
      await stores.changes.stop()
      network.upstreams[Symbol.dispose]()
      responses.close()
      await Promise.all([ledger.close(), logTexts.close(), vendorObjects.close(), turns.close(), tracing?.close()])
      await logs.clickHouse?.close()
      await stores.database.close()
    },
  }
}

interface ContextBase extends Pick<Context, 'config' | 'clock' | 'timers' | 'random' | 'log' | 'metrics'> {
  readonly folder: DataFolder
  readonly workerId: string
}

type Stores = Pick<Context, 'database' | 'seal' | 'secrets' | 'databaseWatch' | 'changes' | 'catalog' | 'accounts'>

/** Opens the database and what is kept of it in memory. */
async function openStores({ config, folder, clock, timers, log }: ContextBase): Promise<Stores> {
  const database = await openDatabase(config, folder.sqlitePath)
  const seal = createSeal(secretKeyOf(folder, config.secretKey), otherKeyOf(folder, config.previousSecretKey))
  const databaseWatch = new DatabaseWatch(log)
  const changes = new Changes({
    database,
    clock,
    timers,
    onError: (error) => databaseWatch.onFailure(error),
    onRead: () => databaseWatch.onResponse(),
  })
  // Before anything is read: a change in between is noticed, and the catalog is built again.
  await changes.start()
  const catalog = await CatalogStore.open({ database, seal, changes, log })
  const accounts = createAccountCache({ database, changes, clock })
  const secrets = createSecretsCheck({ database, seal })
  return { database, seal, secrets, databaseWatch, changes, catalog, accounts }
}

/** Opens what calls leave behind: charges, their texts, and objects at vendors. */
async function openRecords(
  { config, folder, workerId, clock, timers, random, log, metrics }: ContextBase,
  { database, seal, catalog, changes }: Stores,
): Promise<Pick<Context, 'ledger' | 'logTexts' | 'vendorObjects' | 'turns'>> {
  const { nodeId, journalFolder } = folder
  const { durability } = config
  const ledger = await createLedger({
    database,
    clock,
    timers,
    random,
    log,
    workerId,
    nodeId,
    journalFolder,
    durability,
  })
  const logTexts = new LogTexts({
    database,
    seal,
    clock,
    timers,
    log,
    onDropped: (reason, count) => metrics.textsDropped(reason, count),
  })
  const vendorObjects = createVendorObjects({
    database,
    changes,
    clock,
    timers,
    log,
    onDropped: (reason, count) =>
      log.warn({ reason, count }, 'objects at vendors could not be recorded; they are lost'),
  })
  changes.listen((news) => {
    for (const { topic, refId } of news) if (topic === 'objects') vendorObjects.refresh(refId)
  })
  const turns = createTurns({ database, seal, clock, timers, log, limits: () => turnLimits(catalog.current.options) })
  return { ledger, logTexts, vendorObjects, turns }
}

/** Forgets stored responses where an operator says so, and where the site stores none any more. */
function forgetResponses({ changes, catalog }: Stores, responses: Context['responses']): void {
  changes.listen((news) => {
    const isCleared = news.some(({ topic }) => topic === 'responses')
    if (isCleared || !catalog.current.options.ResponseCacheEnabled) responses.forget()
  })
}

/** Opens the ways to other hosts. */
function openNetwork(
  { config, clock, timers }: ContextBase,
  { catalog }: Stores,
): Pick<Context, 'outbound' | 'fetch'> & { readonly upstreams: UpstreamClient } {
  const guarded = guardedFetch(fetch, config.port)
  const outbound = createOutbound({
    config,
    // An unresolvable name is reported by what is sent there.
    lookup: (hostname) => Bun.dns.lookup(hostname).catch(() => []),
    fetch,
    workerFetch: guarded,
    worker() {
      const { WorkerUrl: url, WorkerValidKey: key } = catalog.current.options
      return url ? { url, key } : null
    },
  })
  const { connectTimeoutMs, usesProxy, port } = config
  const upstreams = new UpstreamClient({ connectTimeoutMs, usesProxy, ownPort: port }, { clock, timers })
  return { upstreams, outbound, fetch: guarded }
}

/** Without the orders, which would make it a worker. */
const runProgram: RunCommand = (words) => {
  const { [ordersVariable]: _orders, ...environment } = process.env
  return commandRunner(programCommand(), environment)(words)
}

const healthOfOne =
  (own: Health): NodeHealth =>
  async (channelIds) => [own.read(channelIds)]

/** Loaded only where there is a collector. */
async function openTracing(settings: TraceSettings, { workerId, clock, timers, random, log, metrics }: ContextBase) {
  const { createTracing } = await import('../../platform/telemetry/tracing/create-tracing')
  return createTracing({
    workerId,
    clock,
    timers,
    random,
    log,
    settings,
    version,
    onDropped: (count) => metrics.spansDropped(count),
    fetch: (url, init) => fetch(url, init),
  })
}
