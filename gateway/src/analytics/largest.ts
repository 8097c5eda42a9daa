import { sql } from 'kysely'

import type { Queries } from '../store/database'
import { dimensions, spans } from './dimensions'
import { daysWithin, type Hours } from './hours'

/** Rows that are read at the most before all users are added up instead. */
const mostRows = 40_000
/** And users of whom it cannot be said yet whether they are among the largest. */
const mostCandidates = 300
/** Lists in one query: SQLite takes 500. */
const listsAtOnce = 100

interface Row {
  readonly place: number
  readonly key: string
  readonly quota: number
}

/**
 * Some users who hold among them the `limit` who used the most quota in some hours, those of equal use included; undefined
 * when the largest users of each day do not tell that. `known` is what users used besides.
 *
 * Each day or hour has a list of its largest users. Who is in none of those lists used no more than their last entries
 * together, and who is in some of them no more than the entries found and the last ones of the others.
 */
export async function largestUsers(
  query: Queries,
  hours: Hours,
  known: ReadonlyMap<string, number>,
  limit: number,
): Promise<string[] | undefined> {
  const stretches = stretchesOf(hours)
  for (let depth = 4 * limit; depth * stretches.length <= mostRows; depth *= 4) {
    const rows = await largestOfEach(query, stretches, depth)
    const found = candidates(rows, depth, known, limit)
    if (found) return found
  }
  return undefined
}

interface Stretch {
  readonly span: number
  readonly start: number
}

function stretchesOf({ from, before }: Hours): Stretch[] {
  const days = daysWithin({ from, before }) ?? { from: before, before }
  return [
    ...every(spans.hour, from, days.from),
    ...every(spans.day, days.from, days.before),
    ...every(spans.hour, days.before, before),
  ]
}

const every = (span: number, from: number, before: number): Stretch[] =>
  Array.from({ length: Math.max(0, (before - from) / span) }, (_, index) => ({ span, start: from + index * span }))

async function largestOfEach(query: Queries, stretches: readonly Stretch[], depth: number): Promise<Row[]> {
  const lists = stretches.map(({ span, start }, place) => largestOf(span, start, place, depth))
  const found: Row[] = []
  for (let first = 0; first < lists.length; first += listsAtOnce) {
    const part = sql.join(lists.slice(first, first + listsAtOnce), sql` union all `)
    found.push(...(await sql<Row>`${part}`.execute(query)).rows)
  }
  return found
}

/** In the words of the index, which is about users alone. */
const largestOf = (span: number, start: number, place: number, depth: number) =>
  sql`select * from (select ${sql.lit(place)} as place, key, quota from usage_sums
    where dimension = ${sql.lit(dimensions.user_id)} and span = ${sql.lit(span)} and start = ${sql.lit(start)}
    order by quota desc limit ${sql.lit(depth)}) as list`

function candidates(
  rows: readonly Row[],
  depth: number,
  known: ReadonlyMap<string, number>,
  limit: number,
): string[] | undefined {
  const lasts = lastEntries(rows, depth)
  const unseen = [...lasts.values()].reduce((sum, last) => sum + last, 0)
  const users = new Map<string, Bounds>()
  for (const [key, quota] of known) users.set(key, { least: quota, most: unseen + quota })
  for (const { place, key, quota } of rows) {
    const { least, most } = users.get(key) ?? { least: 0, most: unseen }
    users.set(key, { least: least + quota, most: most + quota - (lasts.get(place) ?? 0) })
  }
  const leasts = [...users.values()].map(({ least }) => least).toSorted((one, other) => other - one)
  const floor = leasts[limit - 1] ?? 0
  // With no list cut off, there is nobody unseen.
  if (lasts.size > 0 && unseen >= floor) return undefined
  const left = [...users].filter(([, { most }]) => most >= floor)
  return left.length > mostCandidates ? undefined : left.map(([key]) => key)
}

interface Bounds {
  readonly least: number
  readonly most: number
}

/** What the last entry of each list that is cut off says. */
function lastEntries(rows: readonly Row[], depth: number): Map<number, number> {
  const lists = new Map<number, { count: number; last: number }>()
  for (const { place, quota } of rows) {
    const { count, last } = lists.get(place) ?? { count: 0, last: quota }
    lists.set(place, { count: count + 1, last: Math.min(last, quota) })
  }
  const cutOff = [...lists].filter(([, { count }]) => count >= depth)
  return new Map(cutOff.map(([place, { last }]) => [place, last]))
}
