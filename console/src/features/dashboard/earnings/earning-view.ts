import { earningRoutes } from '@tollgate/contract'

import { bucketWithin } from '../dashboard-range'
import { queryOf, viewOf } from '../dashboard-view'
import type { EarningSearch } from './earning-search'

interface ViewOptions {
  /** Milliseconds. */
  readonly now: number
  /** The site's default step. */
  readonly usualStep: Parameters<typeof viewOf>[1]['usualStep']
}

/** Returns the view of an address, with defaults for what it leaves out. Sums by or of an upstream key have no filter but the channel. */
export function earningView(search: EarningSearch, options: ViewOptions) {
  const { days, from, to, step } = search
  const view = viewOf({ days, from, to, step }, { ...options, readsAll: true })
  const by = search.by ?? 'channel'
  const isByKey = by === 'key' || search.key !== undefined
  const { key, channel, model, group, username } = search
  return {
    ...view,
    by: isByKey && by !== 'time' ? ('key' as const) : by,
    sort: earningRoutes.earningSorts.find((name) => name === search.sort) ?? (by === 'time' ? 'name' : 'profit'),
    isDescending: search.descending ?? true,
    filter: {
      channel,
      key,
      model_name: isByKey ? undefined : model,
      group: isByKey ? undefined : group,
      username: isByKey ? undefined : username,
    },
    isByKey,
  } as const
}

export type EarningView = ReturnType<typeof earningView>

/** Returns the query of a view. */
export const earningQuery = (view: EarningView) => ({
  ...queryOf(view),
  group_by: view.by,
  sort: view.sort,
  descending: view.isDescending,
  ...view.filter,
})

type Row = Pick<earningRoutes.EarningRow, 'id' | 'name' | 'key'>

/** Returns what a row consists of: the address of its filter, and what is not filtered by yet. */
export function drillDown(view: EarningView, row: Row): EarningSearch {
  const filter = filterOf(view, row)
  if (view.by === 'key') return { ...filter, by: 'time' }
  const next = deeper[view.by].find((by) => !isFiltered(view, by))
  return { ...filter, by: next ?? 'time', sort: undefined, descending: undefined }
}

const deeper = {
  time: ['channel', 'model', 'user', 'group'],
  channel: ['model', 'user', 'group'],
  model: ['channel', 'user', 'group'],
  group: ['model', 'channel', 'user'],
  user: ['model', 'channel', 'group'],
} as const satisfies Readonly<Record<Exclude<EarningView['by'], 'key'>, readonly EarningView['by'][]>>

const isFiltered = (
  { filter: { channel, model_name: model, group, username } }: EarningView,
  by: 'channel' | 'model' | 'user' | 'group',
): boolean => ({ channel, model, group, user: username })[by] !== undefined

function filterOf({ by, step, range }: EarningView, { id, name, key }: Row): EarningSearch {
  if (by === 'time') return { ...bucketWithin(id ?? 0, step, range), days: undefined, step: undefined }
  if (by === 'channel') return { channel: id ?? undefined }
  if (by === 'key') return { channel: id ?? undefined, key }
  return { [by === 'user' ? 'username' : by]: name }
}

/** Returns the filter of the log for the calls of a row; the log is not filtered by upstream key. */
export function rowsOf(view: EarningView, row: Row) {
  const { channel, model_name: model, group, username } = view.filter
  const { range } = view
  const { key: _, days: __, step: ___, ...filter } = filterOf(view, row)
  return { from: range.start, to: range.end, type: consumption, channel, model, group, username, ...filter }
}

/** The log's type of charged calls. */
const consumption = 2
