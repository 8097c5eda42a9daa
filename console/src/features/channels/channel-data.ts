import { getRouteApi } from '@tanstack/react-router'
import { channelRoutes, groupRoutes, pageIn } from '@tollgate/contract'
import * as z from 'zod'

import { type ListPart, useList } from '../../components/data-table/use-list'
import { call } from '../../lib/api/api'
import { useRead } from '../../lib/api/query'
import { StoredValue, useStored } from '../../lib/browser/stored-value'
import { useSearchChange } from '../../lib/url/use-search-change'
import type { Channel } from './channel-row'
import { type ChannelSearch, noFilters } from './channel-search'
import { useViewer } from '../../lib/api/session'

const page = getRouteApi('/admin/channels')
const storedIdSort = new StoredValue('id-sort', z.boolean(), false)
const storedTagMode = new StoredValue('channel-tag-mode', z.boolean(), false)

export function useChannelSearch() {
  const search = page.useSearch()
  const setSearch = useSearchChange<ChannelSearch>(page.useNavigate())
  const list = useList(search, setSearch, { sorts: channelRoutes.channelSorts, noFilters })
  return { search, setSearch, list }
}
export type ChannelListState = ReturnType<typeof useChannelSearch>['list']

/** Order and grouping of the list, as stored in this browser; reports changes. */
export function useListModes(onChange: () => void) {
  const [isIdSort, setIdSort] = useStored(storedIdSort)
  const [isTagMode, setTagMode] = useStored(storedTagMode)
  const withChange = (set: (isOn: boolean) => void) => (isOn: boolean) => {
    set(isOn)
    onChange()
  }
  return { isIdSort, setIdSort: withChange(setIdSort), isTagMode, setTagMode: withChange(setTagMode) }
}
export type ListModes = ReturnType<typeof useListModes>

interface Listing extends ListPart<(typeof channelRoutes.channelSorts)[number]> {
  readonly isFiltered: boolean
  readonly isIdSort: boolean
  readonly isTagMode: boolean
}

export function useChannels(search: ChannelSearch, { page, size, sort, descending, ...modes }: Listing) {
  const { keyword, group, model, status, type } = search
  const { isFiltered, isIdSort, isTagMode } = modes
  const query = { p: page, page_size: size, id_sort: isIdSort, tag_mode: isTagMode, sort, descending }
  const list = useRead(channelRoutes.listChannels, { query }, { enabled: !isFiltered })
  const found = useRead(
    channelRoutes.searchChannels,
    { query: { ...query, keyword, group, model, status, type } },
    { enabled: isFiltered, select: pageIn },
  )
  return isFiltered ? found : list
}
export type ChannelList = ReturnType<typeof useChannels>

/** The channel whose panel is open: from the page, or requested separately. */
export function useOpenChannel(id: number | undefined, channels: readonly Channel[] | undefined) {
  const known = channels?.find((channel) => channel.id === id)
  const isFetched = id !== undefined && channels !== undefined && !known
  const fetched = useRead(channelRoutes.getChannel, { params: { id: id ?? 0 } }, { enabled: isFetched })
  return {
    channel: known ?? (isFetched && fetched.data?.id === id ? fetched.data : undefined),
    error: isFetched ? fetched.error : null,
    retry: () => void fetched.refetch(),
  }
}

const exportedAtOnce = 100

/** Resolves with all channels that match the filters, page by page. */
export async function everyChannel({ keyword, group, model, status, type }: ChannelSearch): Promise<Channel[]> {
  const found = new Map<number, Channel>()
  for (let p = 1; ; p += 1) {
    const query = { p, page_size: exportedAtOnce, id_sort: true, keyword, group, model, status, type }
    const { items, total } = pageIn(await call(channelRoutes.searchChannels, { query }))
    for (const channel of items) found.set(channel.id, channel)
    if (items.length === 0 || p * exportedAtOnce >= total) return [...found.values()]
  }
}

/** Returns the vendors by their number of channels. */
export function useVendors() {
  const { data } = useRead(channelRoutes.channelTypes, {}, { staleTime: 600_000 })
  return data ?? []
}

export const useGroups = () => useRead(groupRoutes.listGroups, {}, { staleTime: 60_000 }).data ?? []

/** Reads to refresh when a channel changes. */
export const channelReads = [
  channelRoutes.listChannels,
  channelRoutes.searchChannels,
  channelRoutes.getChannel,
  channelRoutes.channelHistory,
  channelRoutes.explainRoute,
  channelRoutes.enabledModels,
] as const

/** Polled only while the page is visible. */
const liveMs = 5_000
const trafficMs = 60_000

/** Live data of the channels of a page: one call for what changes by the second, one for the hours. */
export function useChannelLive(channels: readonly Channel[] | undefined) {
  const ids = (channels ?? [])
    .slice(0, channelRoutes.maxLiveChannels)
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

/** What the reader may do on the page of channels. */
export function useChannelRights() {
  const { may } = useViewer()
  return { mayWrite: may('channels.write'), mayEnterKeys: may('keys.write') }
}
