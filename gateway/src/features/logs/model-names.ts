import { sql } from 'kysely'

import type { Queries } from '../../store/database'
import { matchingPattern } from '../../store/like'

/** With more names than these in the log, it is quicker to look at the rows. */
const mostNames = 500
/** And each of them has to be asked for in every part of the search. */
const mostMatches = 8

/**
 * The names in the log that match a pattern; null when there are too many to search by name.
 * Steps from name to name along the index, so its time grows with the names and not with the rows.
 */
export async function modelNames(query: Queries, pattern: string): Promise<string[] | null> {
  const { rows } = await sql<{ name: string; matches: number | boolean }>`
    with recursive names(name) as (
      select min(model_name) from logs
      union all
      select (select min(model_name) from logs where model_name > names.name) from names where names.name is not null
    )
    select name, ${matchingPattern(sql.ref('name'), pattern)} as matches
    from (select name from names where name is not null limit ${mostNames + 1}) as known`.execute(query)
  const matching = rows.filter(({ matches }) => Boolean(matches)).map(({ name }) => name)
  return rows.length > mostNames || matching.length > mostMatches ? null : matching
}
