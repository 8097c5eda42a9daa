import { statfsSync, statSync } from 'node:fs'

import type { Context } from '../../context'
import { nodeProblem } from '../../billing/ledger/node-problem'
import { pathsIn } from '../../platform/store/data-folder'
import { version } from '../../platform/config/version'
import { processSeries } from '../../platform/telemetry/metrics/process-series'
import { Measured, MeasuredEach, type Reading, Spread, type Series } from '../../platform/telemetry/metrics/series'
import type { Time } from '../../platform/time/timers'

/** What a worker's gauges read, besides its context. */
export interface GaugeDeps {
  readonly inFlight: { readonly count: number; readonly memory: { readonly used: number } }
  readonly readiness: { readonly isReady: boolean }
  readonly limiter: { readonly isAlone: boolean }
}

/** Registers gauges of what a worker currently holds. */
export function registerGauges(ctx: Context, { inFlight, readiness, limiter }: GaugeDeps): void {
  /** The values of several workers are summed, or the highest is used where all see the same. */
  const gauge = (name: string, help: string, value: () => number, merge: Reading['merge'] = 'sum') =>
    ctx.metrics.register(new Measured(`tollgate_${name}`, help, value, { merge }))
  const stats = () => ctx.ledger.stats()
  gauge('calls_in_flight', 'Calls being answered, streams included.', () => inFlight.count)
  gauge(
    'memory_in_flight_bytes',
    'Memory that calls in flight hold, of MEMORY_IN_FLIGHT_MB: bodies, messages of sessions, answers held back.',
    () => inFlight.memory.used,
  )
  gauge('leases', 'Leases on balances that this worker holds.', () => stats().leases)
  gauge('leased_quota', 'Quota of users that is leased to workers.', () => stats().leasedQuota)
  gauge('reserved_quota', 'Leased quota that calls in flight have reserved.', () => stats().reserved)
  gauge('pending_charges', 'Charges on their way to the disk.', () => stats().pendingCharges)
  gauge('journal_depth', 'Charges on the disk that the database does not have yet.', () => stats().journalDepth)
  gauge('journal_oldest_seconds', 'Age of the oldest of them.', () => stats().journalOldestSeconds, 'max')
  gauge(
    'journal_set_aside_files',
    'Files next to the journals with charges that could not be read, or that report missing ones. See tollgate doctor.',
    () => stats().setAsideFiles,
    'max',
  )
  ctx.metrics.register(
    new Measured(
      'tollgate_dropped_records_total',
      'Log rows without money that could not be written.',
      () => stats().droppedRecords,
      { type: 'counter' },
    ),
  )
  gauge('log_bodies_queued', 'Texts of calls waiting to be logged.', () => ctx.logTexts.queued.entries)
  gauge('log_bodies_queued_bytes', 'Memory that they take.', () => ctx.logTexts.queued.bytes)
  gauge('breakers_open', 'Channels whose breaker is not closed.', () => openBreakers(ctx), 'max')
  gauge(
    'cooling_keys',
    'Keys of channels that are cooling down as their upstream asked.',
    () => ctx.health.cooldowns.count,
    'max',
  )
  const { slots } = ctx.health
  gauge('limited_calls', 'Calls at channels with a concurrency cap.', () => slots.inside)
  gauge('waiting_calls', 'Calls that wait for a slot of such a channel.', () => slots.waiting)
  gauge('channels', 'Channels that are enabled.', () => enabledChannels(ctx), 'max')
  const isReady = () => readiness.isReady && ctx.databaseWatch.isResponding && nodeProblem(ctx) === null
  gauge('ready', 'Whether new calls are welcome, as /health/ready says.', () => Number(isReady()), 'min')
  gauge('database_up', 'Whether the database responds.', () => Number(ctx.databaseWatch.isResponding), 'min')
  const { pool } = ctx.database
  gauge('database_connections_in_use', 'Connections to PostgreSQL that statements use.', () => pool?.inUse ?? 0)
  gauge('database_waiting', 'Statements that wait for a connection to PostgreSQL.', () => pool?.waiting ?? 0)
  ctx.metrics.register(
    new Measured(
      'tollgate_database_waits_total',
      'Statements that found all connections to PostgreSQL in use.',
      () => pool?.waits ?? 0,
      { type: 'counter' },
    ),
  )
  const { lastBackupPath } = pathsIn(ctx.config.dataDir)
  gauge(
    'backup_last_success_timestamp_seconds',
    'When the last backup of this node was complete, in Unix seconds; 0: none is known.',
    () => (statSync(lastBackupPath, { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1000,
    'max',
  )
  gauge(
    'limits_alone',
    'Whether rate limits are counted in memory, as Redis is unavailable.',
    () => Number(limiter.isAlone),
    'max',
  )
  gauge('disk_free_bytes', 'Free for DATA_DIR.', () => freeBytes(ctx.config.dataDir), 'min')
  ctx.metrics.register(
    new MeasuredEach('tollgate_build_info', 'The release that runs.', ['version', 'runtime'], () => [
      [[version, `bun ${Bun.version}`], 1],
    ]),
  )
  ctx.metrics.register(
    new MeasuredEach('tollgate_channel_info', 'The name of each channel.', ['channel', 'name'], () =>
      [...ctx.catalog.current.channels.values()].map(({ id, name }) => [[String(id), name], 1]),
    ),
  )
  ctx.metrics.register(watchEventLoop(ctx))
  for (const series of processSeries()) ctx.metrics.register(series)
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const openBreakers = ({ catalog, health }: Context): number =>
  [...catalog.current.channels.values()].filter((channel) => health.isFailing(channel)).length

const enabledChannels = ({ catalog }: Context): number =>
  [...catalog.current.channels.values()].filter(({ isEnabled }) => isEnabled).length

const pollIntervalMs = 100
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures how late a timer of a tenth of a second fires: as a histogram, so that one reader takes nothing from others. */
function watchEventLoop({ clock, timers }: Time): Series {
  const delays = new Spread(
    'tollgate_event_loop_delay_seconds',
    'How late a timer of 0.1 s fires, and so everything else that waits.',
    bounds,
  )
  let expected = clock.monotonic() + pollIntervalMs
  timers.every(pollIntervalMs, () => {
    const late = Math.max(0, clock.monotonic() - expected)
    delays.observe(late / 1000)
    expected = clock.monotonic() + pollIntervalMs
  })
  return delays
}
