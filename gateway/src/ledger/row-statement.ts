import type { CompiledQuery } from 'kysely'

import type { Queries, Transaction } from '../store/database'

/** A statement over many rows, compiled once for each of a few row counts; any number of rows is a few of them. */
export interface RowStatement<Result> {
  /** Each row is the list of its parameters, in the order of the statement. Answers what the statement returns. */
  run(transaction: Transaction, rows: readonly (readonly Parameter[])[]): Promise<Result[]>
}

export type Parameter = string | number | Uint8Array

const rowCounts = [64, 16, 4, 1] as const

/** `build` gets the number of rows and puts any value where a parameter goes, row by row. */
export function rowStatement<Result>(
  query: Queries,
  build: (rows: number, query: Queries) => CompiledQuery<Result>,
): RowStatement<Result> {
  const compiled = new Map<number, CompiledQuery<Result>>()
  const ofSize = (rows: number) => {
    const known = compiled.get(rows)
    if (known) return known
    const made = build(rows, query)
    compiled.set(rows, made)
    return made
  }
  return {
    async run(transaction, rows) {
      const results: Result[] = []
      let start = 0
      for (const count of rowCounts) {
        for (; rows.length - start >= count; start += count) {
          const parameters = rows.slice(start, start + count).flat()
          const result = await transaction.executeQuery<Result>({ ...ofSize(count), parameters })
          results.push(...result.rows)
        }
      }
      return results
    },
  }
}
