import type { LogSearch } from './log-search'

const daySeconds = 86_400
const hourSeconds = 3_600

/** Quick ranges: how many seconds back; today begins at midnight. */
export const quickRanges = ['hour', 'today', 'week', 'month'] as const
export type QuickRange = (typeof quickRanges)[number]

const lengths = { hour: hourSeconds, week: 7 * daySeconds, month: 30 * daySeconds } as const

export function startOf(range: QuickRange, nowSeconds: number): number {
  if (range !== 'today') return Math.floor(nowSeconds) - lengths[range]
  const midnight = new Date(nowSeconds * 1000)
  midnight.setHours(0, 0, 0, 0)
  return midnight.getTime() / 1000
}

/** An hour from now, by whole hours, so that asking again is the same question. */
const anHourOn = (nowSeconds: number) => (Math.ceil(nowSeconds / hourSeconds) + 1) * hourSeconds

/** The call's filters from the address. Without a range: today until in an hour. A request id is looked for everywhere. */
export function filterOf(search: LogSearch, isAdmin: boolean, nowSeconds: number) {
  const isAnyTime = search.request !== undefined && search.from === undefined
  return {
    type: search.type,
    token_name: search.token,
    model_name: search.model,
    group: search.group,
    request_id: search.request,
    start_timestamp: isAnyTime ? undefined : (search.from ?? startOf('today', nowSeconds)),
    end_timestamp: isAnyTime ? undefined : (search.to ?? anHourOn(nowSeconds)),
    ...(isAdmin && { username: search.username, channel: search.channel }),
  }
}

/** Whether anything but the range was chosen. */
export const isFiltered = ({ type, token, model, group, username, channel, request }: LogSearch): boolean =>
  [type, token, model, group, username, channel, request].some((value) => value !== undefined)
