import type { Compilable } from 'kysely'

import type { Queries } from './database'

/**
 * A query that is asked so often that building it each time would cost more than its answer. It is built once, with any values
 * where its parameters go, and asked with others in their place, in their order.
 */
export function builtQuery<Row>(
  query: Queries,
  built: Compilable<Row>,
): (...parameters: readonly (string | number)[]) => Promise<readonly Row[]> {
  const compiled = built.compile()
  return async (...parameters) => (await query.executeQuery<Row>({ ...compiled, parameters })).rows
}
