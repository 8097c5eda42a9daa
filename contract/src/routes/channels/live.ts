import * as z from 'zod'

import { route } from '../../http/route'

/** As many as a page shows, even where its rows are tags with several channels. */
export const maxLiveChannels = 500

/** Comma-separated ids; those beyond `maxLiveChannels` are left out. */
const IdList = z
  .string()
  .max(10_000)
  .regex(/^\d{1,15}(?:,\d{1,15})*$/)
  .transform((text) => [...new Set(text.split(',').map(Number))].slice(0, maxLiveChannels))

/**
 * From healthy to unavailable. `steady`: no failure; `suspect`: the latest call failed; `ready`: it failed often, and the next call probes
 * it; `open`: it failed often and is not called; `resting`: its upstream asked for a pause.
 */
export const liveStates = ['steady', 'suspect', 'ready', 'open', 'resting'] as const
export const LiveState = z.enum(liveStates)
export type LiveState = z.output<typeof LiveState>

const standing = {
  state: LiveState,
  /** Until it is tried again; 0 unless it is open or resting. */
  seconds_left: z.number().int(),
}

export const ChannelFailure = z.object({
  /** Unix seconds. */
  at: z.number().int(),
  status: z.number().int(),
  /** How the attempt failed: refused, unreachable, stale, malformed, silent, timeout or busy. */
  fault: z.string(),
  /** The upstream's own message without keys and addresses; may be empty. */
  message: z.string(),
  model: z.string(),
})
export type ChannelFailure = z.output<typeof ChannelFailure>

export const ChannelLive = z.object({
  id: z.number().int(),
  in_flight: z.number().int(),
  /** Calls that wait for a free slot. */
  waiting: z.number().int(),
  /** Concurrent calls that the workers of this node allow together; 0: no limit. */
  limit: z.number().int(),
  ...standing,
  /** Those that are not steady, even where the channel is. */
  models: z.array(z.object({ name: z.string(), ...standing })),
  /** Those that are not steady, or failed since the workers started. */
  keys: z.array(z.object({ fingerprint: z.string(), ...standing, last_failure: ChannelFailure.nullable() })),
  /** Since the workers started. */
  last_failure: ChannelFailure.nullable(),
})
export type ChannelLive = z.output<typeof ChannelLive>

export const LiveChannels = z.object({
  /** Workers that responded. */
  workers: z.number().int(),
  channels: z.array(ChannelLive),
})

export const liveChannels = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/live',
  summary: 'Calls in flight, breakers and last failures of channels, from the memory of this node’s workers',
  query: z.object({ ids: IdList }),
  data: LiveChannels,
})

/**
 * Returns whether a channel fails though it may be enabled: at least one attempt in ten, and several, so that a single stray one does not
 * count.
 */
export const isFailing = ({ count, errors }: { readonly count: number; readonly errors: number }): boolean =>
  errors >= 3 && errors >= (count + errors) / 10

/** The current hour included. */
export const trafficHours = 24

export const ChannelTraffic = z.object({
  id: z.number().int(),
  /** Charged calls of all the hours. */
  count: z.number().int(),
  /** Failed attempts. */
  errors: z.number().int(),
  quota: z.number().int(),
  /** Half of the answered calls, and 95 % of them, took no longer; null where there were none. */
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  /** Half of the streamed responses had their first token by then; null where there were none. */
  first_token_p50_ms: z.number().nullable(),
  /** One for each of `times`; null: no traffic. */
  hours: z.array(z.object({ count: z.number().int(), errors: z.number().int() }).nullable()),
})
export type ChannelTraffic = z.output<typeof ChannelTraffic>

export const TrafficData = z.object({
  /** When each hour begins, in unix seconds. */
  times: z.array(z.number().int()),
  channels: z.array(ChannelTraffic),
  /** Nodes that share the database; `live` covers one of them. */
  nodes: z.number().int(),
})

export const channelTraffic = route({
  access: 'channels.read',
  method: 'GET',
  path: '/api/channel/traffic',
  summary: 'What channels served in the last 24 hours, by the hour',
  query: z.object({ ids: IdList }),
  data: TrafficData,
})
