import type { PriceSchedule } from '@tollgate/contract'

/** Hours of one name and factor, which the price book stores as separate schedules. */
export interface Hours {
  readonly name: string
  readonly zone: string
  readonly factor: number
  readonly spans: readonly Pick<PriceSchedule, 'days' | 'from' | 'to'>[]
}

/** Returns schedules grouped by name, zone and factor. */
export function hoursOf(schedules: readonly PriceSchedule[]): Hours[] {
  const groups = Map.groupBy(schedules, ({ name, zone, factor }) => JSON.stringify([name, zone, factor]))
  return [...groups.values()].flatMap((spans) => {
    const [first] = spans
    return first ? [{ name: first.name, zone: first.zone, factor: first.factor, spans }] : []
  })
}
