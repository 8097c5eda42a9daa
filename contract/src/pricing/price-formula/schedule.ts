import type { PriceSchedule } from '../price-entry'

/** Returns the first schedule that applies at a moment, in the local time of its zone; null when none does. */
export const scheduleAt = (schedules: readonly PriceSchedule[], unixMs: number): PriceSchedule | null =>
  schedules.find((schedule) => applies(schedule, unixMs)) ?? null

/** A time that the zone's clock skips never occurs, and one that it repeats occurs twice. */
function applies({ zone, days, from, to }: PriceSchedule, unixMs: number): boolean {
  const { day, time } = localTime(zone, unixMs)
  if (from < to) return days.includes(day) && from <= time && time < to
  const dayBefore = day === 1 ? 7 : day - 1
  return (days.includes(day) && from <= time) || (days.includes(dayBefore) && time < to)
}

interface LocalTime {
  /** 1 is Monday, 7 Sunday. */
  readonly day: number
  /** `HH:MM` */
  readonly time: string
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** The local time of a zone, cached for the minute of the latest query: most calls begin in the minute of the call before. */
interface Clock {
  readonly format: Intl.DateTimeFormat
  minute: number
  shown: LocalTime
}

/** A formatter takes much longer to create than to use. Zones come from the price book, which has few. */
const clocks = new Map<string, Clock>()

/** In every zone the clock advances by whole minutes. */
function localTime(zone: string, unixMs: number): LocalTime {
  const minute = Math.floor(unixMs / 60_000)
  let clock = clocks.get(zone)
  if (clock?.minute === minute) return clock.shown
  if (!clock) clocks.set(zone, (clock = { format: formatOf(zone), minute, shown: { day: 0, time: '' } }))
  clock.minute = minute
  return (clock.shown = readClock(clock.format, unixMs))
}

function readClock(format: Intl.DateTimeFormat, unixMs: number): LocalTime {
  const parts = new Map(format.formatToParts(unixMs).map(({ type, value }) => [type, value]))
  return {
    day: dayNames.indexOf(parts.get('weekday') ?? '') + 1,
    time: `${parts.get('hour') ?? ''}:${parts.get('minute') ?? ''}`,
  }
}

const formatOf = (zone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
