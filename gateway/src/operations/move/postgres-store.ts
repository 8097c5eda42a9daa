import { sql } from 'kysely'

import type { Database, Queries, Transaction } from '../../platform/store/database'
import { isMoving, moveMarks as marksTable } from '../../platform/store/migrate'
import type { PostgresCopies } from '../../platform/store/postgres-copy'
import {
  RowSum,
  stampMark,
  unmarked,
  type CopiedRows,
  type CopiedTable,
  type MoveMarks,
  type MoveSource,
  type MoveTarget,
  type ReadRows,
  type TableMark,
  type Value,
} from './copied-table'
import { pagesAfter } from './move-rows'
import { readMarks } from './sqlite-store'

const numbered = 'id'
const marks = sql.table(marksTable)
const listNames = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

/** The PostgreSQL of a move. Which tables there are is read from the file on the other side. */
export class PostgresStore implements MoveSource, MoveTarget {
  readonly #query: Queries
  readonly #copies: PostgresCopies

  constructor(
    { longRunning }: Pick<Database, 'longRunning'>,
    copies: PostgresCopies,
    readonly tables: MoveSource['tables'],
  ) {
    this.#query = longRunning
    this.#copies = copies
  }

  /** Every row that is written counts here, also after a restart of the server. */
  async stamp(): Promise<string> {
    const { rows } = await sql<{ stamp: string }>`
      select concat_ws(' ', (select oid from pg_database where datname = current_database()),
        sum(n_tup_ins), sum(n_tup_upd), sum(n_tup_del)) as stamp
      from pg_stat_user_tables where schemaname = current_schema()`.execute(this.#query)
    return rows[0]?.stamp ?? ''
  }

  async count({ name }: CopiedTable): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(this.#query)
    return rows[0]?.count ?? 0
  }

  async read({ name, columns, key }: CopiedTable, after: TableMark['after'], limit: number): Promise<ReadRows> {
    const order = listNames(key)
    const from = after ? sql`where (${order}) > (${sql.join(after)})` : sql``
    const { rows } = await sql<Record<string, Value>>`
      select ${listNames(columns)} from ${sql.table(name)} ${from} order by ${order} limit ${sql.lit(limit)}`.execute(
      this.#query,
    )
    const last = rows.at(-1)
    return {
      rows: rows.map((row) => columns.map((column) => row[column] ?? null)),
      last: last
        ? key.map((column) => {
            const value = last[column]
            return typeof value === 'number' ? value : String(value)
          })
        : null,
    }
  }

  async lastId({ name, columns }: CopiedTable): Promise<number> {
    const sequence = await this.#sequenceOf(this.#query, name, columns)
    if (sequence === null) return 0
    const { rows } = await sql<{ last: number | null }>`
      select pg_sequence_last_value(${sequence}::regclass) as last`.execute(this.#query)
    return rows[0]?.last ?? 0
  }

  /** Resolves with the name of what gives a table its ids; null where ids are not numbered. */
  async #sequenceOf(query: Queries, name: string, columns: readonly string[]): Promise<string | null> {
    if (!columns.includes(numbered)) return null
    const { rows } = await sql<{ name: string | null }>`
      select pg_get_serial_sequence(${name}, ${numbered}) as name`.execute(query)
    return rows[0]?.name ?? null
  }

  async marks(): Promise<MoveMarks | null> {
    if (!(await isMoving({ kind: 'postgres', query: this.#query }))) return null
    const { rows } = await sql<{ name: string; value: string }>`select name, value from ${marks}`.execute(this.#query)
    return readMarks(rows)
  }

  begin(stamp: string, tables: readonly CopiedTable[], earlier: MoveMarks | null): Promise<MoveMarks> {
    return this.#query.transaction().execute(async (transaction) => {
      const found = new Map<string, TableMark>()
      await sql`drop table if exists ${marks}`.execute(transaction)
      await sql`create table ${marks} (name text primary key, value text not null)`.execute(transaction)
      await writeMark(transaction, stampMark, stamp)
      const setTriggers = async (state: 'disable' | 'enable') => {
        for (const { name } of tables)
          await sql`alter table ${sql.table(name)} ${sql.raw(state)} trigger user`.execute(transaction)
      }
      // The database refuses to remove young rows of the audit log, which are here those of an earlier move.
      await setTriggers('disable')
      // All at once, as some refer to others.
      await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(transaction)
      await setTriggers('enable')
      for (const { name } of tables) {
        const indexes = [...(earlier?.tables.get(name)?.indexes ?? []), ...(await dropIndexes(transaction, name))]
        const mark = { ...unmarked, indexes }
        await writeMark(transaction, name, JSON.stringify(mark))
        found.set(name, mark)
      }
      return { stamp, tables: found }
    })
  }

  write({ name, columns }: CopiedTable, { lines }: CopiedRows, mark: TableMark): Promise<void> {
    const statements = `${markStatement(name, JSON.stringify(mark))}; copy ${quote(name)} (${columns.map(quote).join(', ')}) from stdin`
    return this.#copies.write(statements, Buffer.from(`${lines.join('\n')}\n`))
  }

  async sum(table: CopiedTable): Promise<RowSum> {
    const sum = new RowSum()
    if (await this.#hasFractions(table)) {
      for await (const { lines } of pagesAfter(this, table, null)) for (const line of lines) sum.add(line)
      return sum
    }
    const names = table.columns.map(quote).join(', ')
    await this.#copies.read(`copy (select ${names} from ${quote(table.name)}) to stdout`, (line) => {
      // Without the end of the line.
      sum.add(line.subarray(0, -1))
    })
    return sum
  }

  /** PostgreSQL writes these in other words than JavaScript. */
  async #hasFractions({ name }: CopiedTable): Promise<boolean> {
    const { rows } = await sql`select 1 from information_schema.columns
      where table_schema = current_schema() and table_name = ${name} and data_type in ('double precision', 'real')`.execute(
      this.#query,
    )
    return rows.length > 0
  }

  complete({ name, columns }: CopiedTable, mark: TableMark, last: number): Promise<void> {
    return this.#query.transaction().execute(async (transaction) => {
      await sql`set local maintenance_work_mem = '256MB'`.execute(transaction)
      for (const statement of mark.indexes) await sql.raw(statement).execute(transaction)
      const sequence = await this.#sequenceOf(transaction, name, columns)
      if (sequence !== null && last > 0) await sql`select setval(${sequence}::regclass, ${last})`.execute(transaction)
      await writeMark(transaction, name, JSON.stringify({ ...mark, state: 'copied', indexes: [] }))
    })
  }

  async mark({ name }: CopiedTable, mark: TableMark): Promise<void> {
    await writeMark(this.#query, name, JSON.stringify(mark))
  }

  async finish(): Promise<void> {
    await sql`drop table ${marks}`.execute(this.#query)
    await sql`analyze`.execute(this.#query)
  }
}

/** Resolves with columns that the database computes, by table. */
export async function computedColumns(query: Queries): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as "table", array_agg(column_name::text) as columns from information_schema.columns
    where table_schema = current_schema() and is_generated = 'ALWAYS' group by table_name`.execute(query)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** Resolves with the statements that create the indexes again. Those of a table with partitions would be made for it alone. */
async function dropIndexes(transaction: Transaction, name: string): Promise<string[]> {
  const { rows } = await sql<{ name: string; text: string }>`
    select indexrelid::regclass::text as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as text
    from pg_index where indrelid = ${name}::regclass and not exists (select 1 from pg_constraint where conindid = indexrelid)`.execute(
    transaction,
  )
  for (const index of rows) await sql`drop index ${sql.raw(index.name)}`.execute(transaction)
  return rows.map(({ text }) => text)
}

const quote = (name: string): string => `"${name}"`
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const markStatement = (name: string, value: string): string =>
  `insert into ${marksTable} (name, value) values (${literal(name)}, ${literal(value)}) on conflict (name) do update set value = excluded.value`

const writeMark = async (query: Queries, name: string, value: string): Promise<void> =>
  void (await sql.raw(markStatement(name, value)).execute(query))
