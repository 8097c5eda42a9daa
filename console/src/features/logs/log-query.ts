import { hourSeconds, daySeconds } from '@tollgate/contract'
import type { ListPart } from '../../components/data-table/use-list'
import type { LogSearch, QuickRange } from './log-search'

const lengths = { hour: hourSeconds, week: 7 * daySeconds, month: 30 * daySeconds } as const

/** Returns the start of a quick range; today's at midnight. */
const startOf = (range: QuickRange, nowSeconds: number): number =>
  range === 'today' ? new Date(nowSeconds * 1000).setHours(0, 0, 0, 0) / 1000 : Math.floor(nowSeconds) - lengths[range]

/**
 * Returns the first and last second of the filters: without an end, an hour from now. A request id without a range is searched at any time.
 */
function secondsOf({ range, from, to, request }: LogSearch, nowSeconds: number) {
  const anHourOn = Math.floor(nowSeconds) + hourSeconds
  if (from !== undefined || to !== undefined) return { start: from, end: to ?? anHourOn }
  if (request !== undefined && range === undefined) return { start: undefined, end: undefined }
  return { start: startOf(range ?? 'today', nowSeconds), end: anHourOn }
}

/** Returns the call's filters from the address. Without a range: today until an hour from now. */
export function filterOf(search: LogSearch, readsAll: boolean, nowSeconds: number) {
  const { start, end } = secondsOf(search, nowSeconds)
  const { not } = search
  return {
    type: search.type,
    token_name: search.token,
    model_name: search.model,
    group: search.group,
    request_id: search.request,
    error_code: search.error,
    min_use_time: search.slow,
    min_quota: search.cost,
    not_model_name: not?.model,
    not_token_name: not?.token,
    not_group: not?.group,
    not_error_code: not?.error,
    start_timestamp: start,
    end_timestamp: end,
    ...(readsAll && {
      username: search.username,
      channel: search.channel,
      not_username: not?.username,
      not_channel: not?.channel,
    }),
  }
}

export type LogFilter = ReturnType<typeof filterOf>

/** The parts of an address that change the query of the log. */
export const filtersIn = ({ open: _open, page: _page, size: _size, ...filters }: LogSearch) => filters

/** Returns the query for a page of rows. */
export const rowsQuery = <Sort extends string>(
  filter: LogFilter,
  { page, size, sort, descending }: ListPart<Sort>,
) => ({
  ...filter,
  p: page,
  page_size: size,
  joined: 'true' as const,
  sort,
  descending,
})

/** Returns the query for the sums of the filters: as far back as is fast, or all of them. */
export const statQuery = (filter: LogFilter, { isWhole }: { readonly isWhole: boolean }) => ({
  ...filter,
  ...(!isWhole && { quick: 'true' as const }),
})

export const noFilters = {
  type: undefined,
  token: undefined,
  model: undefined,
  group: undefined,
  username: undefined,
  channel: undefined,
  request: undefined,
  error: undefined,
  slow: undefined,
  cost: undefined,
  not: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
} satisfies Partial<LogSearch>

/** Filters other than the model and the range, in display order. */
export const furtherFilters = [
  'type',
  'channel',
  'username',
  'token',
  'group',
  'error',
  'slow',
  'cost',
  'request',
] as const satisfies (keyof LogSearch)[]
export type FurtherFilter = (typeof furtherFilters)[number]

/** Whether anything but the range is filtered. */
export const isFiltered = (search: LogSearch): boolean =>
  search.model !== undefined || search.not !== undefined || furtherFilters.some((name) => search[name] !== undefined)

/** Whether there is something to save as a view. */
export const isWorthKeeping = (search: LogSearch): boolean =>
  isFiltered(search) || search.range !== undefined || search.from !== undefined
