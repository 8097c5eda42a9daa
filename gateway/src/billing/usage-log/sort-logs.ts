import { logRoutes, logType, type Page } from '@tollgate/contract'
import { sql, type RawBuilder } from 'kysely'

import type { Database } from '../../platform/store/database'
import type { LogFilter } from './log-filter'
import type { LogList, SearchBudget } from './list-logs'
import { logWindows } from './log-windows'
import { countIn, rowPositionsIn, rowsOfIds, type RowPosition } from './window-rows'

/** The time of a rarer question; a window is as many rows as a call in the same process may have to wait for. */
const usualBudget: SearchBudget = { milliseconds: 500, size: 2000 }

export interface LogOrder {
  readonly sort: logRoutes.LogSort
  readonly isDescending: boolean
}

/** The beginning of a sorted list. */
export interface SortedBeginning {
  readonly first: readonly RowPosition[]
  /** All rows that were sorted. */
  readonly counted: number
  readonly searchedUntil: number | null
}

/** Returns how many rows of a sorted list a page needs from its beginning. */
export const sortedEnd = ({ offset, size }: Page): number => Math.min(offset + size, logRoutes.maxSortedLogs)

/** Resolves with a page of the rows within a filter, sorted by a figure of calls; rows of anything else come last. */
export async function sortLogs(
  database: Pick<Database, 'query' | 'kind'>,
  filter: LogFilter,
  page: Page,
  order: LogOrder,
  budget?: SearchBudget,
): Promise<LogList> {
  const beginning = await sortedBeginning(database, filter, sortedEnd(page), order, budget)
  const ids = beginning.first.slice(page.offset).map(({ id }) => id)
  return { items: await rowsOfIds(database.query, ids), ...sortedTotal(beginning) }
}

/** Returns what a list says about how many rows were sorted. */
export const sortedTotal = ({ counted, searchedUntil }: SortedBeginning): Omit<LogList, 'items'> => ({
  total: Math.min(counted, logRoutes.maxSortedLogs),
  isTotalLowerBound: searchedUntil !== null || counted > logRoutes.maxSortedLogs,
  searchedUntil,
})

/**
 * Resolves with the beginning of the sorted list. No index has these figures, since each would cost every call: windows are read from the
 * newest on as far as the budget allows, and each adds its first rows.
 */
export async function sortedBeginning(
  { query, kind }: Pick<Database, 'query' | 'kind'>,
  filter: LogFilter,
  end: number,
  { sort, isDescending }: LogOrder,
  budget: SearchBudget = usualBudget,
): Promise<SortedBeginning> {
  const deadline = performance.now() + budget.milliseconds
  const order = { value: sortValues(kind)[sort], isDescending }
  let first: readonly RowPosition[] = []
  let counted = 0
  for await (const window of logWindows(query, filter, budget.size)) {
    counted += await countIn(query, filter, { ...window, isWhole: false })
    const found = await rowPositionsIn(query, filter, window, { ...order, limit: end })
    first = mergeSorted(first, found, isDescending).slice(0, end)
    if (!window.isLast && performance.now() >= deadline) return { first, counted, searchedUntil: window.from }
  }
  return { first, counted, searchedUntil: null }
}

/** Returns the rows of two sorted lists as one. */
export const mergeSorted = (
  some: readonly RowPosition[],
  others: readonly RowPosition[],
  isDescending: boolean,
): RowPosition[] => [...some, ...others].sort((one, other) => compare(one, other, isDescending))

function compare(one: RowPosition, other: RowPosition, isDescending: boolean): number {
  const newest = other.created_at - one.created_at || other.id - one.id
  if (one.value === null || other.value === null)
    return Number(one.value === null) - Number(other.value === null) || newest
  return (isDescending ? other.value - one.value : one.value - other.value) || newest
}

const charged = sql`type = ${sql.lit(logType.consumption)}`
const isCall = sql`type in (${sql.lit(logType.consumption)}, ${sql.lit(logType.error)})`

/** Rows of earlier releases have seconds only. The details are a text of ours, in which the name occurs once. */
const milliseconds = {
  postgres: sql`coalesce(cast(substring(other from '"use_time_ms":([0-9]{1,15})') as bigint), use_time * 1000)`,
  sqlite: sql`case when instr(other, '"use_time_ms":') > 0
    then cast(substr(other, instr(other, '"use_time_ms":') + 14, 15) as integer) else use_time * 1000 end`,
  clickhouse: sql`duration_ms`,
}

/** Returns the figures by which rows can be sorted. */
export const sortValues = (kind: keyof typeof milliseconds): Record<logRoutes.LogSort, RawBuilder<number | null>> => ({
  cost: sql`case when ${charged} then quota end`,
  tokens: sql`case when ${charged} then prompt_tokens + completion_tokens end`,
  duration: sql`case when ${isCall} then ${milliseconds[kind]} end`,
})
