import { channelRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import type { Channel } from './channel-row'

/** Polled only while the page is visible. */
const liveMs = 5_000
const trafficMs = 60_000

/** Live data of the channels of a page: one call for what changes by the second, one for the hours. */
export function useChannelLive(channels: readonly Channel[] | undefined) {
  const ids = (channels ?? [])
    .slice(0, channelRoutes.mostLiveChannels)
    .map(({ id }) => id)
    .sort((one, other) => one - other)
    .join(',')
  const input = { query: { ids } }
  const enabled = ids !== ''
  const live = useRead(channelRoutes.liveChannels, input, { enabled, refetchInterval: liveMs })
  const traffic = useRead(channelRoutes.channelTraffic, input, { enabled, refetchInterval: trafficMs })
  const byId = {
    live: new Map(live.data?.channels.map((channel) => [channel.id, channel])),
    traffic: new Map(traffic.data?.channels.map((channel) => [channel.id, channel])),
  }
  return {
    isPending: enabled && (live.isPending || traffic.isPending),
    times: traffic.data?.times ?? [],
    /** With more than one, `live` comes from one of them. */
    nodes: traffic.data?.nodes ?? 1,
    liveOf: (id: number): channelRoutes.ChannelLive | undefined => byId.live.get(id),
    trafficOf: (id: number): channelRoutes.ChannelTraffic | undefined => byId.traffic.get(id),
  }
}
export type ChannelsAtWork = ReturnType<typeof useChannelLive>
