import { statSync } from 'node:fs'

import type { Context } from '../../context'
import { nodeProblem } from '../../http/health-routes'
import { pathsIn, diskSpaceOf } from '../../platform/store/data-folder'
import { version } from '../../platform/config/version'
import { processSeries } from '../../platform/telemetry/metrics/process-series'
import { Measured, MeasuredEach, Spread, type Reading } from '../../platform/telemetry/metrics/series'
import type { Time } from '../../platform/time/timers'

/** What a worker's gauges read, besides its context. */
export interface GaugeDeps {
  readonly inFlight: { readonly count: number; readonly memory: { readonly used: number } }
  readonly readiness: { readonly isReady: boolean }
  readonly limiter: { readonly isAlone: boolean }
}

/** Registers gauges of what a worker currently holds. */
export function registerGauges(ctx: Context, deps: GaugeDeps): void {
  new Gauges(ctx, deps).register()
}

class Gauges {
  readonly #ctx: Context
  readonly #deps: GaugeDeps

  constructor(ctx: Context, deps: GaugeDeps) {
    this.#ctx = ctx
    this.#deps = deps
  }

  register(): void {
    this.#registerCalls()
    this.#registerResponses()
    this.#registerLedger()
    this.#registerChannels()
    this.#registerNode()
    const { metrics } = this.#ctx
    metrics.register(
      new MeasuredEach('tollgate_build_info', 'The release that runs.', ['version', 'runtime'], () => [
        [[version, `bun ${Bun.version}`], 1],
      ]),
    )
    metrics.register(new EventLoopDelay(this.#ctx).series)
    for (const series of processSeries()) metrics.register(series)
  }

  /** The values of several workers are summed, or the highest is used where all see the same. */
  #gauge(name: string, help: string, value: () => number, merge: Reading['merge'] = 'sum'): void {
    this.#ctx.metrics.register(new Measured(`tollgate_${name}`, help, value, { merge }))
  }

  #counter(name: string, help: string, value: () => number): void {
    this.#ctx.metrics.register(new Measured(`tollgate_${name}_total`, help, value, { type: 'counter' }))
  }

  #registerCalls(): void {
    const { inFlight } = this.#deps
    const { logTexts } = this.#ctx
    this.#gauge('calls_in_flight', 'Calls being answered, streams included.', () => inFlight.count)
    this.#gauge(
      'memory_in_flight_bytes',
      'Memory that calls in flight hold, of MEMORY_IN_FLIGHT_MB: bodies, messages of sessions, answers held back.',
      () => inFlight.memory.used,
    )
    this.#gauge('log_bodies_queued', 'Texts of calls waiting to be logged.', () => logTexts.queued.entries)
    this.#gauge('log_bodies_queued_bytes', 'Memory that they take.', () => logTexts.queued.bytes)
  }

  #registerResponses(): void {
    const { responses } = this.#ctx
    this.#gauge('response_cache_entries', 'Responses that workers hold in memory.', () => responses.held.entries)
    this.#gauge('response_cache_bytes', 'Memory that they take.', () => responses.held.bytes)
    this.#gauge(
      'response_cache_alone',
      'Whether responses are stored in memory, as Redis is unavailable.',
      () => Number(responses.isAlone),
      'max',
    )
  }

  #registerLedger(): void {
    const stats = () => this.#ctx.ledger.stats()
    this.#gauge('leases', 'Leases on balances that this worker holds.', () => stats().leases)
    this.#gauge('leased_quota', 'Quota of users that is leased to workers.', () => stats().leasedQuota)
    this.#gauge('reserved_quota', 'Leased quota that calls in flight have reserved.', () => stats().reserved)
    this.#gauge('windows_in_use', 'Windows of which calls in flight hold something.', () => stats().windowsInUse)
    this.#gauge('pending_charges', 'Charges on their way to the disk.', () => stats().pendingCharges)
    this.#gauge('journal_depth', 'Charges on the disk that the database does not have yet.', () => stats().journalDepth)
    this.#gauge('journal_oldest_seconds', 'Age of the oldest of them.', () => stats().journalOldestSeconds, 'max')
    this.#gauge(
      'journal_set_aside_files',
      'Files next to the journals with charges that could not be read, or that report missing ones. See tollgate doctor.',
      () => stats().setAsideFiles,
      'max',
    )
    this.#counter('dropped_records', 'Log rows without money that could not be written.', () => stats().droppedRecords)
  }

  #registerChannels(): void {
    const ctx = this.#ctx
    const { cooldowns, slots, windowLines } = ctx.health
    this.#gauge('breakers_open', 'Channels whose breaker is not closed.', () => openBreakers(ctx), 'max')
    this.#gauge(
      'cooling_keys',
      'Keys of channels that are cooling down as their upstream asked.',
      () => cooldowns.count,
      'max',
    )
    this.#gauge('limited_calls', 'Calls at channels with a concurrency cap.', () => slots.inside)
    this.#gauge(
      'waiting_calls',
      'Calls that wait for a slot of such a channel, or for room in a limit of calls at the same time.',
      () => slots.waiting + windowLines.waiting,
    )
    this.#gauge('channels', 'Channels that are enabled.', () => enabledChannels(ctx), 'max')
    ctx.metrics.register(
      new MeasuredEach('tollgate_channel_info', 'The name of each channel.', ['channel', 'name'], () =>
        [...ctx.catalog.current.channels.values()].map(({ id, name }) => [[String(id), name], 1]),
      ),
    )
  }

  #registerNode(): void {
    const ctx = this.#ctx
    const { readiness, limiter } = this.#deps
    const isReady = () => readiness.isReady && ctx.databaseWatch.isResponding && nodeProblem(ctx) === null
    this.#gauge('ready', 'Whether new calls are welcome, as /health/ready says.', () => Number(isReady()), 'min')
    this.#gauge('database_up', 'Whether the database responds.', () => Number(ctx.databaseWatch.isResponding), 'min')
    const { pool } = ctx.database
    this.#gauge('database_connections_in_use', 'Connections to PostgreSQL that statements use.', () => pool?.inUse ?? 0)
    this.#gauge('database_waiting', 'Statements that wait for a connection to PostgreSQL.', () => pool?.waiting ?? 0)
    this.#counter(
      'database_waits',
      'Statements that found all connections to PostgreSQL in use.',
      () => pool?.waits ?? 0,
    )
    const { lastBackupPath } = pathsIn(ctx.config.dataDir)
    this.#gauge(
      'backup_last_success_timestamp_seconds',
      'When the last backup of this node was complete, in Unix seconds; 0: none is known.',
      () => (statSync(lastBackupPath, { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1000,
      'max',
    )
    this.#gauge(
      'limits_alone',
      'Whether rate limits are counted in memory, as Redis is unavailable.',
      () => Number(limiter.isAlone),
      'max',
    )
    this.#gauge('disk_free_bytes', 'Free for DATA_DIR.', () => diskSpaceOf(ctx.config.dataDir).free, 'min')
  }
}

const openBreakers = ({ catalog, health }: Context): number =>
  [...catalog.current.channels.values()].filter((channel) => health.isFailing(channel)).length

const enabledChannels = ({ catalog }: Context): number =>
  [...catalog.current.channels.values()].filter(({ isEnabled }) => isEnabled).length

const pollIntervalMs = 100
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures how late a timer of a tenth of a second fires: as a histogram, so that one reader takes nothing from others. */
class EventLoopDelay {
  readonly series = new Spread(
    'tollgate_event_loop_delay_seconds',
    'How late a timer of 0.1 s fires, and so everything else that waits.',
    bounds,
  )
  readonly #clock: Time['clock']
  #expected: number

  constructor({ clock, timers }: Time) {
    this.#clock = clock
    this.#expected = clock.monotonic() + pollIntervalMs
    timers.every(pollIntervalMs, () => this.#observe())
  }

  #observe(): void {
    const late = Math.max(0, this.#clock.monotonic() - this.#expected)
    this.series.observe(late / 1000)
    this.#expected = this.#clock.monotonic() + pollIntervalMs
  }
}
