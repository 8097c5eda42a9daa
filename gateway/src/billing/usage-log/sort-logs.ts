import { logRoutes, logType, type Page } from '@tollgate/contract'
import { sql, type RawBuilder } from 'kysely'

import type { Database } from '../../platform/store/database'
import type { LogFilter } from './log-filter'
import type { LogList, SearchBudget } from './list-logs'
import { logWindows } from './log-windows'
import { countIn, rowPositionsIn, rowsOfIds, type RowPosition } from './window-rows'

/** The time of a rarer question; a window is as many rows as a call in the same process may have to wait for. */
const usualBudget: SearchBudget = { milliseconds: 500, size: 2000 }

interface LogOrder {
  readonly sort: logRoutes.LogSort
  readonly isDescending: boolean
}

/**
 * Resolves with a page of the rows within a filter, sorted by a figure of calls; rows of anything else come last. No index has these figures,
 * since each would cost every call: windows are read from the newest on as far as the budget allows, and each adds its first rows.
 */
export async function sortLogs(
  { query, kind }: Pick<Database, 'query' | 'kind'>,
  filter: LogFilter,
  page: Page,
  { sort, isDescending }: LogOrder,
  budget: SearchBudget = usualBudget,
): Promise<LogList> {
  const deadline = performance.now() + budget.milliseconds
  const end = Math.min(page.offset + page.size, logRoutes.maxSortedLogs)
  const order = { value: values(kind)[sort], isDescending }
  let first: readonly RowPosition[] = []
  let counted = 0
  let searchedUntil: number | null = null
  for await (const window of logWindows(query, filter, budget.size)) {
    counted += await countIn(query, filter, { ...window, isWhole: false })
    const found = await rowPositionsIn(query, filter, window, { ...order, limit: end })
    first = [...first, ...found].sort((one, other) => compare(one, other, isDescending)).slice(0, end)
    if (!window.isLast && performance.now() >= deadline) {
      searchedUntil = window.from
      break
    }
  }
  const ids = first.slice(page.offset).map(({ id }) => id)
  return {
    items: await rowsOfIds(query, ids),
    total: Math.min(counted, logRoutes.maxSortedLogs),
    isTotalLowerBound: searchedUntil !== null || counted > logRoutes.maxSortedLogs,
    searchedUntil,
  }
}

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
}

const values = (kind: Database['kind']): Record<logRoutes.LogSort, RawBuilder<number | null>> => ({
  cost: sql`case when ${charged} then quota end`,
  tokens: sql`case when ${charged} then prompt_tokens + completion_tokens end`,
  duration: sql`case when ${isCall} then ${milliseconds[kind]} end`,
})
