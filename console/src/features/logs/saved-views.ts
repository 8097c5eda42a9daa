import { logType } from '@tollgate/contract'

import { withNamed } from '../../lib/named-list'
import type { LogSearch } from './log-search'

/** A set of filters with a name. */
export interface SavedView {
  readonly name: string
  readonly search: LogSearch
}

/** Seconds from which on a call counts as slow. */
const slowSeconds = 10

/** Views that everybody has, by the name of their text. */
export const givenViews = [
  { name: 'failed', search: { type: logType.error } },
  { name: 'slow', search: { slow: slowSeconds } },
] as const satisfies { name: string; search: LogSearch }[]

/** The filters of an address in one order, without the page and the open row. */
export function filtersOf({ page: _page, size: _size, open: _open, ...filters }: LogSearch): LogSearch {
  const set = Object.entries(filters).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set.toSorted(([one], [other]) => one.localeCompare(other)))
}

/** Whether the filters of an address are those of a view. */
export const isSameView = (search: LogSearch, view: LogSearch): boolean =>
  JSON.stringify(filtersOf(search)) === JSON.stringify(filtersOf(view))

/** Returns the views with one under another name, which no other keeps. */
export const renamedView = (views: readonly SavedView[], from: string, to: string): SavedView[] => {
  const renamed = views.find(({ name }) => name === from)
  const others = views.filter(({ name }) => name !== from)
  return renamed ? withNamed(others, { ...renamed, name: to }) : [...views]
}
