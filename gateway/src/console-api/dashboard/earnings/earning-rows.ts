import type { earningRoutes } from '@tollgate/contract'

import type { Queries } from '../../../platform/store/database'
import { nameSeries } from '../series-names'
import { addEarnings, figureOf, noEarnings } from './earning-sums'
import type { EarningsFound } from './read-earnings'

type Row = earningRoutes.EarningRow
type Sums = earningRoutes.EarningSums

interface Order {
  readonly grouping: earningRoutes.EarningGrouping
  readonly sort: earningRoutes.EarningSort
  readonly isDescending: boolean
}

/** Rows in order, and what is not among them. */
interface Rows {
  readonly rows: readonly Row[]
  readonly rest: earningRoutes.EarningData['rest']
}

/** Resolves with the first rows of an order, named. */
export async function earningRows(
  query: Queries,
  { byKey }: Pick<EarningsFound, 'byKey'>,
  order: Order,
  limit: number,
): Promise<Rows> {
  const used = [...byKey].filter(([, { count }]) => count > 0)
  // Only an order by name needs those of all.
  if (order.sort === 'name') {
    const all = await nameRows(query, order.grouping, used)
    return cut(all.toSorted(inOrder(order, byName)), limit)
  }
  const valueOf = figureOf[order.sort]
  const sorted = used.toSorted(inOrder(order, ([, one], [, other]) => [valueOf(one), valueOf(other)]))
  const { rows, rest } = cut(
    sorted.map(([key, sums]) => ({ ...sums, at: key })),
    limit,
  )
  return {
    rows: await nameRows(
      query,
      order.grouping,
      rows.map(({ at, ...sums }) => [at, sums]),
    ),
    rest,
  }
}

function cut<Item extends Sums>(all: readonly Item[], limit: number): { rows: readonly Item[]; rest: Rows['rest'] } {
  const others = all.slice(limit)
  const rest = others.length > 0 ? { ...others.reduce<Sums>(addSums, noEarnings), rows: others.length } : null
  return { rows: all.slice(0, limit), rest }
}

const addSums = (sum: Sums, row: Sums): Sums => addEarnings(sum, row)

type Value = number | string | null

/** Returns what compares items by a value of each. Without a value an item is last in both directions; the sort is stable. */
const inOrder =
  <Item>({ isDescending }: Order, valuesOf: (one: Item, other: Item) => readonly [Value, Value]) =>
  (one: Item, other: Item): number => {
    const [a, b] = valuesOf(one, other)
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    const order = typeof a === 'string' ? a.localeCompare(String(b)) : a - Number(b)
    return isDescending ? -order : order
  }

const byName = (one: Row, other: Row): readonly [Value, Value] =>
  one.name === '' && other.name === '' ? [one.id, other.id] : [one.name, other.name]

/** Names looked up by one statement. */
const namesAtOnce = 5000

async function nameRows(
  query: Queries,
  grouping: earningRoutes.EarningGrouping,
  found: readonly (readonly [key: string, sums: Sums])[],
): Promise<Row[]> {
  if (grouping === 'time') return found.map(([key, sums]) => ({ id: Number(key), name: '', ...sums }))
  const rows: Row[] = []
  for (let start = 0; start < found.length; start += namesAtOnce) {
    const some = found.slice(start, start + namesAtOnce)
    if (grouping === 'key') {
      const names = await nameSeries(query, 'channel', [...new Set(some.map(([key]) => channelOf(key)))])
      rows.push(...some.map(([key, sums]) => ({ ...names(channelOf(key)), key: fingerprintOf(key), ...sums })))
    } else {
      const names = await nameSeries(
        query,
        grouping,
        some.map(([key]) => key),
      )
      rows.push(...some.map(([key, sums]) => ({ ...names(key), ...sums })))
    }
  }
  return rows
}

const channelOf = (key: string): string => key.slice(0, key.indexOf(':'))
const fingerprintOf = (key: string): string => key.slice(key.indexOf(':') + 1)
