import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { Context } from '../context'
import { Gauge, type Reading } from './series'

const perSecond = 1e9

/** What a worker holds at the moment it is asked. */
export function registerGauges(ctx: Context, inFlight: { readonly count: number }): void {
  /** Of several workers the values are added up, or the highest is told where all see the same. */
  const gauge = (name: string, help: string, value: () => number, merge: Reading['merge'] = 'sum') =>
    ctx.metrics.register(new Gauge(`tollgate_${name}`, help, value, merge))
  const stats = () => ctx.ledger.stats()
  gauge('calls_in_flight', 'Calls being answered, streams included.', () => inFlight.count)
  gauge('leases', 'Leases on balances that this worker holds.', () => stats().leases)
  gauge('leased_quota', 'Quota of users that is leased to workers.', () => stats().leasedQuota)
  gauge('reserved_quota', 'Leased quota that calls in flight have reserved.', () => stats().reserved)
  gauge('pending_charges', 'Charges on their way to the disk.', () => stats().pendingCharges)
  gauge('journal_depth', 'Charges on the disk that the database does not have yet.', () => stats().journalDepth)
  gauge('journal_oldest_seconds', 'Age of the oldest of them.', () => stats().journalOldestSeconds, 'max')
  gauge('dropped_records', 'Log rows without money that could not be written.', () => stats().droppedRecords)
  gauge('log_bodies_queued', 'Texts of calls that wait to be logged.', () => ctx.logTexts.queued.entries)
  gauge('log_bodies_queued_bytes', 'Memory that they take.', () => ctx.logTexts.queued.bytes)
  gauge('breakers_open', 'Channels whose breaker is not closed.', () => openBreakers(ctx), 'max')
  gauge(
    'resting_keys',
    'Keys of channels that are left alone until the time their upstream named.',
    () => ctx.health.rests.count,
    'max',
  )
  const { slots } = ctx.health
  gauge('limited_calls', 'Calls at channels that take only so many at once.', () => slots.inside)
  gauge('waiting_calls', 'Calls that wait for such a channel.', () => slots.waiting)
  gauge('channels', 'Channels that are enabled.', () => enabledChannels(ctx), 'max')
  gauge('memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  const delay = monitorEventLoopDelay({ resolution: 100 })
  delay.enable()
  gauge(
    'event_loop_delay_seconds',
    'The longest delay of the event loop since it was asked last.',
    () => {
      const longest = delay.max / perSecond
      delay.reset()
      return Number.isFinite(longest) ? longest : 0
    },
    'max',
  )
}

const openBreakers = ({ catalog, health }: Context): number =>
  [...catalog.current.channels.values()].filter((channel) => health.isFailing(channel)).length

const enabledChannels = ({ catalog }: Context): number =>
  [...catalog.current.channels.values()].filter(({ isEnabled }) => isEnabled).length
