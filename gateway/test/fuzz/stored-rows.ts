import { sql } from 'kysely'

import type { Database } from '../../src/platform/store/database'

/** Tables that a refused call may leave a row in: what happened, who asked, how often, and what runs beside calls. */
const traces: ReadonlySet<string> = new Set([
  'audit_log',
  'logs',
  'sessions',
  'flows',
  'limit_counts',
  'changes',
  'counters',
  'locks',
  'site_notes',
])

/** Reads how many rows each table has, but for traces of calls. */
export async function rowCounter({ query }: Database): Promise<() => Promise<ReadonlyMap<string, number>>> {
  const names = (await query.introspection.getTables()).map(({ name }) => name).filter((name) => !traces.has(name))
  const counts = names.map((name) => sql`select ${sql.lit(name)} as name, count(*) as count from ${sql.table(name)}`)
  const all = sql<{ name: string; count: number | string }>`${sql.join(counts, sql` union all `)}`
  return async () => {
    const { rows } = await all.execute(query)
    return new Map(rows.map(({ name, count }) => [name, Number(count)]))
  }
}
