import type { channelRoutes } from '@tollgate/contract'

import type { Channel } from '../../channels/catalog/catalog'
import { mergedHealth, type HealthReading } from '../../channels/health/health-reading'
import { keyName } from '../../channels/catalog/channel-keys'
import { capOf } from '../../channels/slots/slots'
import type { Context } from '../../context'

type Live = channelRoutes.ChannelLive
type LiveKey = Live['keys'][number]

/** Resolves with what the workers of this node hold in memory about channels. Makes no query. */
export async function liveChannels(
  { catalog, nodeHealth }: Pick<Context, 'catalog' | 'nodeHealth'>,
  ids: readonly number[],
) {
  const known = ids.flatMap((id) => catalog.current.channels.get(id) ?? [])
  const readings = await nodeHealth(known.map(({ id }) => id))
  const health = byName(mergedHealth(readings))
  return { workers: readings.length, channels: known.map((channel) => liveOf(channel, health, readings.length)) }
}

type Breaker = HealthReading['breakers'][number]

/** Indexes a reading by name. */
function byName({ calls, breakers, cooldowns, failures }: HealthReading) {
  return {
    calls: new Map(calls.map((call) => [call.channel, call])),
    breakers: new Map(breakers.map((breaker) => [`${breaker.of} ${breaker.name}`, breaker])),
    models: Map.groupBy(
      breakers.filter(({ of }) => of === 'model'),
      ({ name }) => Number.parseInt(name, 10),
    ),
    cooldowns: new Map(cooldowns.map(({ key, seconds }) => [key, seconds])),
    failures: new Map(failures.map(({ of, name, failure }) => [`${of} ${name}`, failure])),
  }
}
type NamedHealth = ReturnType<typeof byName>

function liveOf({ id, setting, keys }: Channel, health: NamedHealth, workers: number): Live {
  const calls = health.calls.get(id)
  return {
    id,
    in_flight: calls?.inside ?? 0,
    waiting: calls?.waiting ?? 0,
    // Each worker counts its own calls.
    limit: capOf({ setting }) * workers,
    ...standingOf(health.breakers.get(`channel ${id}`)),
    models: (health.models.get(id) ?? []).map((breaker) => ({
      name: breaker.name.slice(`${id}/`.length),
      ...standingOf(breaker),
    })),
    keys: keys.flatMap(({ fingerprint }) => keyOf(keyName({ id }, { fingerprint }), fingerprint, health) ?? []),
    last_failure: health.failures.get(`channel ${id}`) ?? null,
  }
}

/** Null for a key that is steady and has not failed. */
function keyOf(name: string, fingerprint: string, health: NamedHealth): LiveKey | null {
  const breaker = health.breakers.get(`key ${name}`)
  const cooldown = health.cooldowns.get(name)
  const last_failure = health.failures.get(`key ${name}`) ?? null
  if (cooldown !== undefined)
    return { fingerprint, state: 'resting', seconds_left: Math.max(0, Math.round(cooldown)), last_failure }
  return breaker || last_failure ? { fingerprint, ...standingOf(breaker), last_failure } : null
}

const standingOf = (breaker: Breaker | undefined): Pick<Live, 'state' | 'seconds_left'> =>
  breaker
    ? { state: breaker.state, seconds_left: Math.round(breaker.msLeft / 1000) }
    : { state: 'steady', seconds_left: 0 }
