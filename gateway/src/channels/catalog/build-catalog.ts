import type { OptionValues } from '@tollgate/contract'
import { takesOwnLogins } from '@tollgate/providers'

import type { PriceBook } from '../../billing/pricing/price-book'
import { Prices } from '../../billing/pricing/prices'
import type { WindowRow } from '../../platform/store/tables'
import type { Catalog, Channel } from './catalog'
import { channelWindowsOf } from './channel-windows'
import { GroupRoutes } from './group-routes'
import { ModelList } from './channel-texts'
import { siteModelsOf } from './site-models'
import { readChannel, type CatalogRow, type ListedChannel, type ReadTools } from './read-channel'

export interface CatalogSource {
  readonly revision: number
  readonly rows: readonly CatalogRow[]
  readonly options: OptionValues
  readonly book: PriceBook
  /** Those of groups, channels and their keys, by rising id. Absent: none. */
  readonly windows?: readonly WindowRow[]
  readonly open: ReadTools['open']
  readonly report: ReadTools['report']
}

/** A snapshot with what its successor may reuse. */
export interface BuiltCatalog {
  readonly catalog: Catalog
  readonly read: ReadonlyMap<number, { readonly row: CatalogRow; readonly listed: ListedChannel | null }>
  readonly lists: ReadonlyMap<string, ModelList>
}

/**
 * Builds the snapshot of these rows. Pure; malformed parts are reported, never thrown. Channels whose rows are as in `previous` are
 * reused, so that one edit does not decrypt every key again.
 */
export function buildCatalog(source: CatalogSource, previous?: BuiltCatalog): BuiltCatalog {
  const lists = new Map<string, ModelList>()
  const listOf = (text: string): ModelList => {
    const list = lists.get(text) ?? previous?.lists.get(text) ?? new ModelList(text)
    lists.set(text, list)
    return list
  }
  const tools = { open: source.open, report: source.report, listOf }
  const read = new Map<number, { row: CatalogRow; listed: ListedChannel | null }>()
  for (const row of source.rows) {
    const before = previous?.read.get(row.id)
    if (before && isSameRow(before.row, row)) {
      listOf(row.models)
      read.set(row.id, before)
    } else read.set(row.id, { row, listed: readChannel(row, tools) })
  }
  const channels = [...read.values()].map(({ listed }) => listed).filter((listed) => listed !== null)
  const { revision, options, book, windows = [] } = source
  const channelsById = new Map(channels.map(({ channel }) => [channel.id, channel]))
  const catalog: Catalog = {
    revision,
    options,
    channels: channelsById,
    routes: routesOf(channels),
    siteModels: siteModelsOf(options),
    prices: new Prices({ options, book, channels: channelsById }),
    groupWindows: Map.groupBy(
      windows.filter(({ owner }) => owner === 'group'),
      ({ ref }) => ref,
    ),
    channelWindows: channelWindowsOf(windows, channelsById, options.SiteTimeZone),
  }
  return { catalog, read, lists }
}

function isSameRow(one: CatalogRow, other: CatalogRow): boolean {
  let name: keyof CatalogRow
  for (name in one) if (one[name] !== other[name]) return false
  return true
}

/** Clients may bring the login of a channel that has no key. */
const hasCredentials = ({ keys, setting }: Channel): boolean =>
  takesOwnLogins({ setting }) || keys.some((key) => key.isEnabled)

function routesOf(channels: readonly ListedChannel[]): Map<string, GroupRoutes> {
  const serving = channels.filter(({ channel }) => channel.isEnabled && hasCredentials(channel))
  const ordered = serving.sort((a, b) => b.channel.priority - a.channel.priority || a.channel.id - b.channel.id)
  const groups = new Map<string, ListedChannel[]>()
  for (const listed of ordered) {
    for (const group of listed.channel.groups) {
      const members = groups.get(group)
      if (members) members.push(listed)
      else groups.set(group, [listed])
    }
  }
  return new Map([...groups].map(([group, members]) => [group, new GroupRoutes(members)]))
}
