import type { Compilable } from 'kysely'

import type { Queries } from './database'

/**
 * A query that runs so often that building it each time would cost more than running it. It is built once, with placeholder values, and
 * run with others in their place, in order.
 */
export function builtQuery<Row>(
  query: Queries,
  built: Compilable<Row>,
): (...parameters: readonly (string | number)[]) => Promise<readonly Row[]> {
  const compiled = built.compile()
  return async (...parameters) => (await query.executeQuery<Row>({ ...compiled, parameters })).rows
}
