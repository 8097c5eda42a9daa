import { sql } from 'kysely'

import type { Queries } from '../store/database'
import { figures, spans } from '../analytics/dimensions'
import { readFolds } from '../analytics/folds'
import { userPacks, type UserPack } from '../analytics/user-packs'
import { readRecords } from '../analytics/user-records'
import type { Difference } from './difference'

const [quotaAt, callsAt] = [figures.indexOf('quota'), figures.indexOf('count')]

/** What is packed, as far as it is, must be what the hourly sums say of each value, user and time. A day at a time. */
export async function packDifferences(query: Queries): Promise<Difference[]> {
  const folds = await readFolds(query)
  const all: Difference[] = []
  for (const pack of userPacks) {
    const until = folds.until(pack.number)
    for (const day of until > 0 ? await daysOf(query, pack, until) : []) {
      const sums = new DaySums()
      await addPacks(query, pack, day, sums)
      await addHours(query, pack, { from: day, before: Math.min(day + spans.day, until) }, sums)
      all.push(...sums.differences(pack))
    }
  }
  return all
}

/** Days that have packs, or hours that should be in some. */
async function daysOf(query: Queries, { number }: UserPack, until: number): Promise<number[]> {
  const { rows } = await sql<{ day: number }>`select day from usage_packs where pack = ${number}
    union select hour - hour % ${sql.lit(spans.day)} from rollups where hour < ${until} order by day`.execute(query)
  return rows.map(({ day }) => day)
}

async function addPacks(query: Queries, { number }: UserPack, day: number, sums: DaySums): Promise<void> {
  const packs = query.selectFrom('usage_packs').where('pack', '=', number).where('day', '=', day)
  for (const { value, records } of await packs.select(['value', 'records']).execute()) {
    readRecords(records, day, (start, userId, amounts) => {
      sums.add(start, value, userId, { found: amounts[quotaAt] ?? 0, calls: amounts[callsAt] ?? 0 })
    })
  }
}

interface Hours {
  readonly from: number
  readonly before: number
}

interface HourRow {
  readonly start: number
  readonly value: string
  readonly user: number
  readonly quota: number
  readonly calls: number
}

async function addHours(query: Queries, { column, span }: UserPack, { from, before }: Hours, sums: DaySums) {
  const { rows } = await sql<HourRow>`select hour - hour % ${sql.lit(span)} as start,
      cast(${sql.ref(column)} as text) as value, user_id as "user", sum(quota) as quota, sum(count) as calls
    from rollups where hour >= ${from} and hour < ${before} group by 1, 2, 3`.execute(query)
  for (const { start, value, user, quota, calls } of rows) {
    sums.add(start, value, user, { expected: quota, calls: -calls })
  }
}

interface Sum {
  readonly start: number
  found: number
  expected: number
  /** Found less expected. */
  calls: number
}

/** By value, user and time. */
class DaySums {
  readonly #sums = new Map<string, Sum>()

  add(start: number, value: string, userId: number, { found = 0, expected = 0, calls = 0 }: Partial<Sum>): void {
    const key = `${start}\0${userId}\0${value}`
    const sum = this.#sums.get(key) ?? { start, found: 0, expected: 0, calls: 0 }
    sum.found += found
    sum.expected += expected
    sum.calls += calls
    this.#sums.set(key, sum)
  }

  /** One for each time at which any differ. */
  differences({ number: id, span }: UserPack): Difference[] {
    const check = span === spans.hour ? 'pack-hour' : 'pack-third'
    const unequal = new Map<number, { found: number; expected: number }>()
    for (const { start, found, expected, calls } of this.#sums.values()) {
      if (found === expected && calls === 0) continue
      const both = unequal.get(start) ?? { found: 0, expected: 0 }
      unequal.set(start, { found: both.found + found, expected: both.expected + expected })
    }
    return [...unequal].map(([hour, { found, expected }]) => ({ check, id, hour, found, expected }))
  }
}
