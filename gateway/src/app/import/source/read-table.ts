import type { z } from 'zod'

import { fetchedPages } from '../../../operations/move/fetched-pages'
import { maxFigure } from '../site-source'
import type { SourceDatabase, SourceRow } from './source-database'

/** A table of a source, read by pages of rows in the order of a column. */
export interface ReadableTable {
  readonly database: SourceDatabase
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>
}

interface Reading<Shape extends z.ZodRawShape> {
  readonly table: string
  /** A column whose values are whole numbers, or texts, and unique. */
  readonly key: string & keyof Shape
  readonly schema: z.ZodObject<Shape>
  /** SQL of a condition. */
  readonly where?: string
}

/** Yields the rows of a table; none where there is no such table. Columns that the source lacks are undefined to the schema. */
export async function* readTable<Shape extends z.ZodRawShape>(
  { database, tables }: ReadableTable,
  { table, key, schema, where = '1 = 1' }: Reading<Shape>,
): AsyncGenerator<readonly z.output<z.ZodObject<Shape>>[]> {
  const columns = tables.get(table)
  if (!columns?.has(key)) return
  const quote = (name: string) => database.quote(name)
  const names = Object.keys(schema.shape).filter((name) => columns.has(name))
  let after: unknown
  const fetchRows = async (count: number): Promise<readonly SourceRow[]> => {
    const rest = after === undefined ? '' : `and ${quote(key)} > ${literal(after)}`
    const rows = await database.select(
      `select ${names.map(quote).join(', ')} from ${quote(table)} where ${where} ${rest}
       order by ${quote(key)} limit ${count}`,
    )
    after = rows.at(-1)?.[key] ?? after
    return rows
  }
  for await (const rows of fetchedPages(fetchRows, { maxRows, sizeOf })) yield rows.map((row) => schema.parse(row))
}

const maxRows = 500
const sizeOf = (row: SourceRow): number =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  )

/** Yields nothing: the source does not have such rows. */
export async function* noPages(): AsyncGenerator<readonly never[]> {
  await Promise.resolve()
  yield []
}

/** Returns a value that was read, as a statement has it. */
export const literal = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'bigint' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/** Resolves with the sum of a column of whole numbers, each within `maxFigure`; 0 where there is no such column. */
export const sumOf = (source: ReadableTable, table: string, column: string): Promise<number> =>
  figureOf(
    source,
    { table, column },
    (figure) =>
      `sum(case when ${figure} > ${maxFigure} then ${maxFigure} when ${figure} < -${maxFigure} then -${maxFigure} else ${figure} end)`,
  )

/** Resolves with the largest of a column's whole numbers; 0 where there is no such column, or no row. */
export const maxOf = (source: ReadableTable, table: string, column: string, where = '1 = 1'): Promise<number> =>
  figureOf(source, { table, column, where }, (figure) => `max(${figure})`)

/** Resolves with the smallest of a column's whole numbers; null where there is no such column, or no row. */
export const minOf = async (
  source: ReadableTable,
  table: string,
  column: string,
  where: string,
): Promise<number | null> => (await figureOf(source, { table, column, where }, (figure) => `min(${figure})`)) || null

interface Figure {
  readonly table: string
  readonly column: string
  readonly where?: string
}

async function figureOf(
  { database, tables }: ReadableTable,
  { table, column, where = '1 = 1' }: Figure,
  aggregate: (figure: string) => string,
): Promise<number> {
  if (!tables.get(table)?.has(column)) return 0
  const figure = aggregate(database.quote(column))
  const [row] = await database.select(`select ${figure} as figure from ${database.quote(table)} where ${where}`)
  return Number(row?.['figure'] ?? 0)
}

/** Resolves with the number of rows; 0 where there is no such table. */
export async function countOf({ database, tables }: ReadableTable, table: string, where = '1 = 1'): Promise<number> {
  if (!tables.has(table)) return 0
  const [row] = await database.select(`select count(*) as figure from ${database.quote(table)} where ${where}`)
  return Number(row?.['figure'] ?? 0)
}
