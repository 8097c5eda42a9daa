import { channelRoutes } from '@tollgate/contract'
import { z } from 'zod'

import { SpeedReport } from '../strategies/speeds'

/** What an outcome applies to: the whole channel, one model there, or one of its keys. */
export const FailureScope = z.enum(['channel', 'model', 'key'])
export type FailureScope = z.infer<typeof FailureScope>

/** What one worker learned about a channel and the others should know. Sent as JSON between the processes of a node. */
export const HealthNews = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('opened'),
    of: FailureScope,
    name: z.string().max(1000),
    pauseMs: z.number().positive(),
  }),
  z.object({ kind: z.literal('closed'), of: FailureScope, name: z.string().max(1000) }),
  /** The upstream said when the key can be used again. */
  z.object({ kind: z.literal('cooldown'), key: z.string().max(1000), seconds: z.number().positive() }),
  SpeedReport,
])
export type HealthNews = z.infer<typeof HealthNews>

/** The states of a breaker that a reading includes: those that are not steady. */
const BreakerState = channelRoutes.LiveState.extract(['suspect', 'ready', 'open'])
type BreakerState = z.infer<typeof BreakerState>

/** What one worker holds in memory about its channels. Sent as JSON between the processes of a node. */
export const HealthReading = z.object({
  calls: z.array(z.object({ channel: z.number(), inside: z.number(), waiting: z.number() })),
  breakers: z.array(z.object({ of: FailureScope, name: z.string(), state: BreakerState, msLeft: z.number() })),
  cooldowns: z.array(z.object({ key: z.string(), seconds: z.number() })),
  failures: z.array(
    z.object({ of: z.enum(['channel', 'key']), name: z.string(), failure: channelRoutes.ChannelFailure }),
  ),
})
export type HealthReading = z.infer<typeof HealthReading>

/** The ids of the channels to report. */
export const RequestedChannels = z.array(z.number()).readonly()

/** Reads the health of these channels from every worker of this node. Workers that do not answer in time are left out. */
export type NodeHealth = (channelIds: readonly number[]) => Promise<readonly HealthReading[]>

const severity: Readonly<Record<BreakerState, number>> = { suspect: 1, ready: 2, open: 3 }

/** Merges the readings of several workers: calls are added up, the worst state and the latest failure are kept. */
export function mergedHealth(readings: readonly HealthReading[]): HealthReading {
  const [first] = readings
  if (first && readings.length === 1) return first
  return {
    calls: mergeByKey(
      readings.flatMap(({ calls }) => calls),
      ({ channel }) => channel,
      (one, other) => ({ ...one, inside: one.inside + other.inside, waiting: one.waiting + other.waiting }),
    ),
    breakers: mergeByKey(
      readings.flatMap(({ breakers }) => breakers),
      ({ of, name }) => `${of} ${name}`,
      (one, other) => (severity[other.state] > severity[one.state] ? other : one),
    ),
    cooldowns: mergeByKey(
      readings.flatMap(({ cooldowns }) => cooldowns),
      ({ key }) => key,
      (one, other) => (other.seconds > one.seconds ? other : one),
    ),
    failures: mergeByKey(
      readings.flatMap(({ failures }) => failures),
      ({ of, name }) => `${of} ${name}`,
      (one, other) => (other.failure.at > one.failure.at ? other : one),
    ),
  }
}

function mergeByKey<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | number,
  join: (one: Item, other: Item) => Item,
): Item[] {
  const found = new Map<string | number, Item>()
  for (const item of items) {
    const key = keyOf(item)
    const known = found.get(key)
    found.set(key, known === undefined ? item : join(known, item))
  }
  return [...found.values()]
}
