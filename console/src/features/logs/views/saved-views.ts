import { logType, maxLogViews, readUserSetting, accountRoutes } from '@tollgate/contract'

import { withNamed } from '../../../lib/api/named-list'
import { LogSearch } from '../log-search'
import { useRead, useWrite } from '../../../lib/api/query'

/** A named set of filters. */
export interface SavedView {
  readonly name: string
  readonly search: LogSearch
}

/** Seconds from which a call counts as slow. */
const slowSeconds = 10

/** Built-in views, by the key of their text. */
export const builtInViews = [
  { name: 'failed', search: { type: logType.error } },
  { name: 'slow', search: { slow: slowSeconds } },
] as const satisfies { name: string; search: LogSearch }[]

/** Returns the filters of an address in a fixed order, without the page and the open row. */
export function filtersOf({ page: _page, size: _size, open: _open, ...filters }: LogSearch): LogSearch {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set.toSorted(([one], [other]) => one.localeCompare(other)))
}

/** Whether the filters of an address equal those of a view. */
export const isSameView = (search: LogSearch, view: LogSearch): boolean =>
  JSON.stringify(filtersOf(search)) === JSON.stringify(filtersOf(view))

/** Returns the views with one renamed; another of the same name is replaced. */
export const renamedView = (views: readonly SavedView[], from: string, to: string): SavedView[] => {
  const renamed = views.find(({ name }) => name === from)
  const others = views.filter(({ name }) => name !== from)
  return renamed ? withNamed(others, { ...renamed, name: to }) : [...views]
}

/** The reader's own views, stored in the account; undefined until they are loaded. */
export function useSavedViews(isEnabled: boolean) {
  const { data: views } = useRead(accountRoutes.getSelf, {}, { enabled: isEnabled, select: viewsOf })
  const { mutate } = useWrite(accountRoutes.updateSetting, { changes: [accountRoutes.getSelf] })
  return {
    views,
    hasRoom: views !== undefined && views.length < maxLogViews,
    setViews: (changed: readonly SavedView[]) =>
      mutate({ body: { log_views: changed.map(({ name, search }) => ({ name, search })) } }),
  }
}

const viewsOf = (self: Parameters<typeof readUserSetting>[0]): readonly SavedView[] =>
  readUserSetting(self).log_views.map(({ name, search }) => ({ name, search: LogSearch.parse(search) }))
