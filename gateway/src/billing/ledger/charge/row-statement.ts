import { sql, type CompiledQuery, type RawBuilder } from 'kysely'

import type { Queries, Transaction } from '../../../platform/store/database'

/** A statement over many rows, compiled once for each of a few row counts; any number of rows is a few of them. */
export interface RowStatement<Row, Result> {
  /** Returns what the statement returns. */
  run(transaction: Transaction, rows: readonly Row[]): Promise<Result[]>
}

type Parameter = string | number | Uint8Array

const rowCounts = [64, 16, 4, 1] as const

/**
 * `sample` is any row: it names the columns. `build` gets it as many times as the statement takes rows, and puts each of its
 * values where a parameter goes, row by row, in the order of `sample`.
 */
export function rowStatement<Row extends { readonly [Column in keyof Row]: Parameter }, Result>(
  query: Queries,
  sample: Row,
  build: (rows: readonly Row[], query: Queries) => CompiledQuery<Result>,
): RowStatement<Row, Result> {
  const columns = columnsOf(sample)
  const compiled = new Map<number, CompiledQuery<Result>>()
  const ofSize = (count: number) => {
    const known = compiled.get(count)
    if (known) return known
    const created = build(
      Array.from({ length: count }, () => sample),
      query,
    )
    compiled.set(count, created)
    return created
  }
  return {
    async run(transaction, rows) {
      const results: Result[] = []
      let start = 0
      for (const count of rowCounts) {
        for (; rows.length - start >= count; start += count) {
          const parameters: Parameter[] = []
          for (const row of rows.slice(start, start + count)) for (const column of columns) parameters.push(row[column])
          const result = await transaction.executeQuery<Result>({ ...ofSize(count), parameters })
          results.push(...result.rows)
        }
      }
      return results
    },
  }
}

/** The rows as the columns and values of a `with` clause. The casts tell PostgreSQL the types of its parameters. */
export function tableOf<Row extends { readonly [Column in keyof Row]: Parameter }>(
  rows: readonly Row[],
): RawBuilder<unknown> {
  const [sample] = rows
  if (!sample) throw new Error('A table of no rows')
  const columns = columnsOf(sample)
  const typeOf = (value: Parameter) => sql.raw(typeof value === 'number' ? 'bigint' : 'text')
  const valuesOf = (row: Row) => sql.join(columns.map((column) => sql`cast(${row[column]} as ${typeOf(row[column])})`))
  return sql`(${sql.join(columns.map((column) => sql.ref(column)))})
    as (values ${sql.join(rows.map((row) => sql`(${valuesOf(row)})`))})`
}

/** In the order in which they are written. */
const columnsOf = <Row extends object>(row: Row): (keyof Row & string)[] => {
  const columns: (keyof Row & string)[] = []
  for (const column in row) columns.push(column)
  return columns
}
