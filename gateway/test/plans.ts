import { expect } from 'bun:test'

import { CompiledQuery, createQueryId, sql, type KyselyPlugin, type RootOperationNode } from 'kysely'

import type { DatabaseKind, Queries } from '../src/platform/store/database'

/** Returns how often a plan reads a whole table. SQLite also reports a scan of a subquery by that name. */
export function wholeReads(plan: readonly string[], table: string): number {
  const count = (pattern: string) => plan.filter((line) => new RegExp(pattern).test(line)).length
  const yielded = count(`^(CO-ROUTINE|MATERIALIZE) ${table}\\b`)
  return count(`^SCAN ${table}\\b`) + count(`Seq Scan on ${table}\\b`) - yielded
}

/** Wraps a database so that it records its queries, and can explain them but for those that delete. */
export function recordQueries({ query, kind }: { query: Queries; kind: DatabaseKind }) {
  const queries: RootOperationNode[] = []
  const watching: KyselyPlugin = {
    transformQuery({ node }) {
      queries.push(node)
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  const plans = () =>
    query.transaction().execute(async (transaction) => {
      if (kind === 'postgres') await sql`set local enable_seqscan = off`.execute(transaction)
      const found: string[][] = []
      for (const node of queries) {
        if (node.kind === 'DeleteQueryNode') continue
        const { sql: text, parameters } = query.getExecutor().compileQuery(node, createQueryId())
        const explain = kind === 'sqlite' ? 'explain query plan' : 'explain'
        const plan = await transaction.executeQuery<Record<string, unknown>>(
          CompiledQuery.raw(`${explain} ${text}`, [...parameters]),
        )
        found.push(plan.rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])))
      }
      expect(found.length).toBeGreaterThan(0)
      return found
    })
  return { query: query.withPlugin(watching), plans, queries }
}
