import { sql } from 'kysely'

import type { Queries } from './database'
import { matchingPattern } from './like'
import type { UsageFilter } from './usage-conditions'

/** With more names than these in a table, it is quicker to look at the rows. */
const mostNames = 500

/** Names that match a pattern. */
export interface ModelNames {
  readonly names: readonly string[]
  /** There is no other name. */
  readonly isEvery: boolean
}

/**
 * The names in the log or in the hourly sums that match a pattern; null when there are too many to look at.
 * Steps from name to name along the index, so its time grows with the names and not with the rows.
 */
export async function modelNames(
  query: Queries,
  table: 'logs' | 'rollups',
  pattern: string,
): Promise<ModelNames | null> {
  const rows = sql.table(table)
  const known = await sql<{ name: string; matches: number | boolean }>`
    with recursive names(name) as (
      select min(model_name) from ${rows}
      union all
      select (select min(model_name) from ${rows} where model_name > names.name) from names where names.name is not null
    )
    select name, ${matchingPattern(sql.ref('name'), pattern)} as matches
    from (select name from names where name is not null limit ${mostNames + 1}) as known`.execute(query)
  if (known.rows.length > mostNames) return null
  const names = known.rows.filter(({ matches }) => Boolean(matches)).map(({ name }) => name)
  return { names, isEvery: names.length === known.rows.length }
}

/** With more names than these, each row is compared with the pattern. */
const mostNamesAsked = 250

/** A filter of the hourly sums with the names that its pattern stands for, which are found by an index; all of them are no condition. */
export async function withModelNames<Filter extends UsageFilter>(query: Queries, filter: Filter): Promise<Filter> {
  if (!filter.modelName?.includes('%')) return filter
  const found = await modelNames(query, 'rollups', filter.modelName)
  if (found?.isEvery) return { ...filter, modelName: undefined }
  return found && found.names.length <= mostNamesAsked
    ? { ...filter, modelName: undefined, modelNames: found.names }
    : filter
}
