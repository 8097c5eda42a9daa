import { sql } from 'kysely'

import type { Queries } from './database'
import { matchingPattern } from './like'
import type { UsageFilter } from './usage-conditions'

/** With more names than this in a table, scanning the rows is faster. */
const maxNames = 500

/** Names that match a pattern. */
export interface ModelNames {
  readonly names: readonly string[]
  /** There is no other name. */
  readonly isEvery: boolean
}

/**
 * Resolves with the names in the log or in the hourly rollups that match a pattern; null when there are too many. Steps from name to name
 * along the index, so its time grows with the names and not with the rows.
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
    from (select name from names where name is not null limit ${maxNames + 1}) as known`.execute(query)
  if (known.rows.length > maxNames) return null
  const names = known.rows.filter(({ matches }) => Boolean(matches)).map(({ name }) => name)
  return { names, isEvery: names.length === known.rows.length }
}

/** With more names than this, each row is compared with the pattern. */
const maxListedNames = 250

/**
 * Returns a filter of the hourly rollups with the names that its pattern matches, which are found by an index; if all names match there is
 * no condition.
 */
export async function withModelNames<Filter extends UsageFilter>(query: Queries, filter: Filter): Promise<Filter> {
  if (!filter.modelName?.includes('%')) return filter
  const found = await modelNames(query, 'rollups', filter.modelName)
  if (found?.isEvery) return { ...filter, modelName: undefined }
  return found && found.names.length <= maxListedNames
    ? { ...filter, modelName: undefined, modelNames: found.names }
    : filter
}
