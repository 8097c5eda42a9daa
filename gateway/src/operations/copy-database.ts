import type { Database as SqliteFile } from 'bun:sqlite'
import { sql } from 'kysely'

import type { Database, Transaction } from '../platform/store/database'

/** How many rows were copied, by table. */
export type Copied = ReadonlyMap<string, number>

/** A table of the gateway, and those of its columns that are not computed from others. */
interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

/**
 * Copies every row of a SQLite database into a PostgreSQL one with the same schema, in one transaction: all or nothing. What the steps of
 * the schema put there is replaced.
 */
export const copyToPostgres = (file: SqliteFile, { longRunning }: Database): Promise<Copied> =>
  longRunning.transaction().execute(async (transaction) => {
    const copied = new Map<string, number>()
    for (const table of await tablesOf(file, transaction)) {
      await sql`delete from ${sql.table(table.name)}`.execute(transaction)
      let count = 0
      for (const rows of pagesOf(file, table)) {
        await insertInto(transaction, table, rows)
        count += rows.length
      }
      await continueIds(transaction, table, lastId(file, table))
      copied.set(table.name, count)
    }
    return copied
  })

/** The same in the other direction, as of one moment. `file` has the schema. */
export const copyToSqlite = ({ longRunning }: Database, file: SqliteFile): Promise<Copied> =>
  longRunning
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const copied = new Map<string, number>()
      file.run('begin')
      for (const table of await tablesOf(file, transaction)) {
        file.run(`delete from ${quoteName(table.name)}`)
        const insert = file.query<unknown, Value[]>(
          `insert into ${quoteName(table.name)} (${listColumns(table.columns)}) values (${table.columns.map(() => '?').join(', ')})`,
        )
        let count = 0
        for await (const row of rowsOf(transaction, table)) {
          insert.run(...table.columns.map((column) => row[column] ?? null))
          count += 1
        }
        keepLastId(file, table, await lastIdOf(transaction, table))
        copied.set(table.name, count)
      }
      file.run('commit')
      return copied
    })

const quoteName = (name: string): string => `"${name}"`
const listColumns = (columns: readonly string[]): string => columns.map(quoteName).join(', ')

/** All but SQLite's own and the list of steps. Columns that PostgreSQL computes, SQLite computes by a trigger. */
async function tablesOf(file: SqliteFile, transaction: Transaction): Promise<readonly Table[]> {
  const { rows: computed } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and is_generated = 'ALWAYS'`.execute(transaction)
  const tables = file.query<{ name: string }, []>(
    `select name from sqlite_master where type = 'table' and name not like 'sqlite|_%' escape '|'
     and name not like 'kysely|_%' escape '|' order by name`,
  )
  const columns = file.query<{ name: string }, [string]>('select name from pragma_table_info(?)')
  return tables.all().map(({ name: table }) => ({
    name: table,
    columns: columns
      .all(table)
      .map(({ name }) => name)
      .filter((name) => !computed.some((one) => one.table === table && one.column === name)),
  }))
}

function pagesOf(file: SqliteFile, { name, columns }: Table): Generator<readonly Row[]> {
  return pagesOfRows(file.query<Row, []>(`select ${listColumns(columns)} from ${quoteName(name)}`).iterate())
}

async function insertInto(transaction: Transaction, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const table = sql.table(name)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  await sql`insert into ${table} (${names}) overriding system value
    select ${names} from json_populate_recordset(null::${table}, ${JSON.stringify(rows, asJson)}::json)`.execute(
    transaction,
  )
}

/** Bytes in PostgreSQL's notation. Its texts cannot hold the character 0, which SQLite's can. */
const asJson = (_name: string, value: unknown): unknown => {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value
}

async function* rowsOf(transaction: Transaction, { name, columns }: Table): AsyncGenerator<Row> {
  const names = sql.join(columns.map((column) => sql.ref(column)))
  await sql`declare copied no scroll cursor for select ${names} from ${sql.table(name)}`.execute(transaction)
  const fetchRows = async (count: number) => {
    const { rows } = await sql<Row>`fetch ${sql.lit(count)} from copied`.execute(transaction)
    return rows
  }
  for await (const page of fetchedPages(fetchRows)) yield* page
  await sql`close copied`.execute(transaction)
}

const numbered = 'id'

/** Returns the last id that was given out, though its row may be gone. */
function lastId(file: SqliteFile, { name, columns }: Table): number {
  if (!columns.includes(numbered)) return 0
  const sequence = file.query<{ seq: number }, [string]>('select seq from sqlite_sequence where name = ?').get(name)
  const { last } = file
    .query<{ last: number | string | null }, []>(`select max(id) as last from ${quoteName(name)}`)
    .get() ?? { last: null }
  return Math.max(sequence?.seq ?? 0, typeof last === 'number' ? last : 0)
}

function keepLastId(file: SqliteFile, { name }: Table, last: number): void {
  file.query<unknown, [number, string]>('update sqlite_sequence set seq = max(seq, ?) where name = ?').run(last, name)
  file
    .query<unknown, [string, number, string, string]>(
      `insert into sqlite_sequence (name, seq) select ?, ? where not exists (select 1 from sqlite_sequence where name = ?)
       and exists (select 1 from sqlite_master where name = ? and sql like '%autoincrement%')`,
    )
    .run(name, last, name, name)
}

/** Resolves with the name of what gives a table its ids; null where ids are not numbered. */
async function sequenceOf(transaction: Transaction, { name, columns }: Table): Promise<string | null> {
  if (!columns.includes(numbered)) return null
  const { rows } = await sql<{ name: string | null }>`
    select pg_get_serial_sequence(${name}, ${numbered}) as name`.execute(transaction)
  return rows[0]?.name ?? null
}

async function continueIds(transaction: Transaction, table: Table, last: number): Promise<void> {
  const sequence = await sequenceOf(transaction, table)
  if (sequence !== null && last > 0) await sql`select setval(${sequence}::regclass, ${last})`.execute(transaction)
}

async function lastIdOf(transaction: Transaction, table: Table): Promise<number> {
  const sequence = await sequenceOf(transaction, table)
  if (sequence === null) return 0
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(${sequence}::regclass) as last`.execute(transaction)
  return rows[0]?.last ?? 0
}

type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

const rowsAtOnce = 500
/** Rows of most tables are small; a kept answer has megabytes. */
const bytesAtOnce = 8 * 1024 * 1024

/** Yields rows in pages that can be held in memory. */
export function* pagesOfRows(rows: Iterable<Row>): Generator<readonly Row[]> {
  let page: Row[] = []
  let bytes = 0
  for (const row of rows) {
    page.push(row)
    bytes += bytesOf(row)
    if (page.length < rowsAtOnce && bytes < bytesAtOnce) continue
    yield page
    page = []
    bytes = 0
  }
  if (page.length > 0) yield page
}

/** Yields the pages that `fetchRows` resolves with, one row at first and then as many as fit by the largest of the page before. */
export async function* fetchedPages<Read extends object>(
  fetchRows: (count: number) => Promise<readonly Read[]>,
): AsyncGenerator<readonly Read[]> {
  for (let count = 1; ;) {
    const page = await fetchRows(count)
    if (page.length > 0) yield page
    if (page.length < count) return
    const maxRowBytes = Math.max(1, ...page.map(bytesOf))
    count = Math.max(1, Math.min(rowsAtOnce, Math.floor(bytesAtOnce / maxRowBytes)))
  }
}

/** Returns about how many bytes a row takes. */
const bytesOf = (row: object): number =>
  Object.values(row).reduce<number>(
    (sum, value: unknown) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  )
