import { channelRoutes, groupRoutes } from '@tollgate/contract'
import { getRouteApi } from '@tanstack/react-router'
import * as z from 'zod'

import { useRead } from '../../lib/query'
import { stored, useStored } from '../../lib/storage'
import { isFiltered, type ChannelSearch } from './channel-search'

const page = getRouteApi('/admin/channels')
const storedIdSort = stored('id-sort', z.boolean(), false)
const storedTagMode = stored('channel-tag-mode', z.boolean(), false)

export function useChannelSearch() {
  const search = page.useSearch()
  const navigate = page.useNavigate()
  const setSearch = (change: Partial<ChannelSearch>) =>
    void navigate({ search: (previous) => ({ ...previous, ...change }) })
  return { search, setSearch }
}

/** How the list is ordered and rolled up, as this browser remembers. */
export function useListModes() {
  const [isIdSort, setIdSort] = useStored(storedIdSort)
  const [isTagMode, setTagMode] = useStored(storedTagMode)
  return { isIdSort, setIdSort, isTagMode, setTagMode }
}

interface Listing {
  readonly page: number
  readonly size: number
  readonly isIdSort: boolean
  readonly isTagMode: boolean
}

export function useChannels(search: ChannelSearch, { page, size, isIdSort, isTagMode }: Listing) {
  const { keyword, group, model, status, type } = search
  const query = { p: page, page_size: size, id_sort: isIdSort, tag_mode: isTagMode }
  const list = useRead(channelRoutes.listChannels, { query }, { enabled: !isFiltered(search) })
  const found = useRead(
    channelRoutes.searchChannels,
    { query: { ...query, keyword, group, model, status, type } },
    { enabled: isFiltered(search) },
  )
  return isFiltered(search) ? found : list
}

/** The vendors, by the number of their channels. */
export function useVendors() {
  const { data } = useRead(channelRoutes.channelTypes, {}, { staleTime: 600_000 })
  return data ?? []
}

export const useGroups = () => useRead(groupRoutes.listGroups, {}, { staleTime: 60_000 }).data ?? []
