import type { LogSearch, QuickRange } from './log-search'

const minuteSeconds = 60
const hourSeconds = 3_600
const daySeconds = 86_400

/** How far back, and to which step the beginning is rounded down, so that asking again soon is the same question. */
const lengths = {
  hour: { back: hourSeconds, step: minuteSeconds },
  week: { back: 7 * daySeconds, step: hourSeconds },
  month: { back: 30 * daySeconds, step: hourSeconds },
} as const

/** When a quick range begins; today's at midnight. */
export function startOf(range: QuickRange, nowSeconds: number): number {
  if (range === 'today') return new Date(nowSeconds * 1000).setHours(0, 0, 0, 0) / 1000
  const { back, step } = lengths[range]
  const start = nowSeconds - back
  return Math.floor(start - (start % step))
}

/** An hour from now, by whole hours, for the same reason. */
const anHourOn = (nowSeconds: number) => (Math.ceil(nowSeconds / hourSeconds) + 1) * hourSeconds

/** The first and last second to look at. A request id without a range is looked for everywhere. */
function secondsOf({ range, from, to, request }: LogSearch, nowSeconds: number) {
  if (from !== undefined || to !== undefined) return { start: from, end: to ?? anHourOn(nowSeconds) }
  if (request !== undefined && range === undefined) return { start: undefined, end: undefined }
  return { start: startOf(range ?? 'today', nowSeconds), end: anHourOn(nowSeconds) }
}

/** The call's filters from the address. Without a range: today until in an hour. */
export function filterOf(search: LogSearch, isAdmin: boolean, nowSeconds: number) {
  const { start, end } = secondsOf(search, nowSeconds)
  return {
    type: search.type,
    token_name: search.token,
    model_name: search.model,
    group: search.group,
    request_id: search.request,
    start_timestamp: start,
    end_timestamp: end,
    ...(isAdmin && { username: search.username, channel: search.channel }),
  }
}

export const noFilters = {
  type: undefined,
  token: undefined,
  model: undefined,
  group: undefined,
  username: undefined,
  channel: undefined,
  request: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
} satisfies LogSearch

/** Whether a range other than today was chosen. */
export const isRanged = ({ range, from, to }: LogSearch): boolean => (range ?? from ?? to) !== undefined

/** Whether anything but the range was chosen. */
export const isFiltered = ({ type, token, model, group, username, channel, request }: LogSearch): boolean =>
  [type, token, model, group, username, channel, request].some((value) => value !== undefined)
