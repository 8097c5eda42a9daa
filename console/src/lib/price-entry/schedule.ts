import type { PriceSchedule } from '@tollgate/contract'

/** Returns the first schedule that applies at a moment, by the clock of its zone. */
export const scheduleAt = (schedules: readonly PriceSchedule[], unixMs: number): PriceSchedule | undefined =>
  schedules.find((schedule) => applies(schedule, unixMs))

function applies({ zone, days, from, to }: PriceSchedule, unixMs: number): boolean {
  const { day, time } = localTime(zone, unixMs)
  if (from < to) return days.includes(day) && from <= time && time < to
  const dayBefore = day === 1 ? 7 : day - 1
  return (days.includes(day) && from <= time) || (days.includes(dayBefore) && time < to)
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** 1 is Monday; the time as `HH:MM`. */
function localTime(zone: string, unixMs: number): { readonly day: number; readonly time: string } {
  const parts = clockOf(zone).formatToParts(unixMs)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return { day: weekdays.indexOf(part('weekday')) + 1, time: `${part('hour')}:${part('minute')}` }
}

/** A formatter takes much longer to make than to use, and a list asks for every model. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  clocks.set(zone, clock)
  return clock
}

/** Hours of one name and factor, which the price book holds a line each. */
export interface Hours {
  readonly name: string
  readonly zone: string
  readonly factor: number
  readonly spans: readonly Pick<PriceSchedule, 'days' | 'from' | 'to'>[]
}

/** Returns schedules with those of one name, zone and factor put together. */
export function hoursOf(schedules: readonly PriceSchedule[]): Hours[] {
  const groups = Map.groupBy(schedules, ({ name, zone, factor }) => JSON.stringify([name, zone, factor]))
  return [...groups.values()].flatMap((spans) => {
    const [first] = spans
    return first ? [{ name: first.name, zone: first.zone, factor: first.factor, spans }] : []
  })
}
