import type { Database as SqliteFile } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { z } from 'zod'

import { moveMarks as marksTable } from '../../platform/store/migrate'
import { nextTurn } from '../../platform/time/timers'
import {
  RowSum,
  stampMark,
  tableMarkSchema,
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

const quoteName = (name: string): string => `"${name}"`
const listNames = (names: readonly string[]): string => names.map(quoteName).join(', ')
const places = (values: readonly unknown[]): string => values.map(() => '?').join(', ')
const numbered = 'id'

/** The SQLite file of a move, which no other process uses. */
export class SqliteStore implements MoveSource, MoveTarget {
  readonly #file: SqliteFile
  /** By table: columns that the other database computes, and this one by a trigger. */
  readonly #computed: ReadonlyMap<string, readonly string[]>

  constructor(file: SqliteFile, computed: ReadonlyMap<string, readonly string[]>) {
    this.#file = file
    this.#computed = computed
    // Indexes of millions of rows are sorted on the disk.
    for (const pragma of ['cache_size = -32000', 'temp_store = file']) file.run(`pragma ${pragma}`)
  }

  /** A checkpoint changes the time of the file, and no change is left out of one: the move begins with it. */
  stamp(): Promise<string> {
    const { mtimeMs, size } = statSync(this.#file.filename)
    return Promise.resolve(`${mtimeMs} ${size}`)
  }

  tables(): Promise<readonly CopiedTable[]> {
    const columns = this.#file.query<{ name: string; pk: number }, [string]>(
      'select name, pk from pragma_table_info(?)',
    )
    const tables = this.#file
      .query<{ name: string }, []>(
        `select name from sqlite_master where type = 'table' and name not like 'sqlite|_%' escape '|'
         and name not like 'kysely|_%' escape '|' and name <> '${marksTable}' order by name`,
      )
      .all()
    const references = this.#file.query<{ table: string }, [string]>('select "table" from pragma_foreign_key_list(?)')
    const names = referencedFirst(
      tables.map(({ name }) => name),
      (name) => references.all(name).map(({ table }) => table),
    )
    return Promise.resolve(
      names.map((table) => {
        const all = columns.all(table)
        return {
          name: table,
          columns: all.map(({ name }) => name).filter((name) => !this.#computed.get(table)?.includes(name)),
          key: all
            .filter(({ pk }) => pk > 0)
            .toSorted((one, other) => one.pk - other.pk)
            .map(({ name }) => name),
        }
      }),
    )
  }

  count({ name }: CopiedTable): Promise<number> {
    const row = this.#file.query<{ count: number }, []>(`select count(*) as count from ${quoteName(name)}`).get()
    return Promise.resolve(row?.count ?? 0)
  }

  read({ name, columns, key }: CopiedTable, after: TableMark['after'], limit: number): Promise<ReadRows> {
    const order = this.#hasRowid(name) ? 'rowid' : listNames(key)
    const from = after ? `where (${order}) > (${places(after)})` : ''
    const rows = this.#file
      .query<unknown, (string | number)[]>(
        `select ${listNames(columns)}, ${order} from ${quoteName(name)} ${from} order by ${order} limit ${limit}`,
      )
      .values(...(after ?? [])) as Value[][]
    const last = rows.at(-1)?.slice(columns.length) ?? null
    for (const row of rows) row.length = columns.length
    return Promise.resolve({
      rows,
      last: last && last.map((value) => (typeof value === 'number' ? value : String(value))),
    })
  }

  async sum(table: CopiedTable): Promise<RowSum> {
    const sum = new RowSum()
    for await (const { lines } of pagesAfter(this, table, null)) for (const line of lines) sum.add(line)
    return sum
  }

  #hasRowid(name: string): boolean {
    const table = this.#file.query<{ wr: number }, [string]>('select wr from pragma_table_list(?)').get(name)
    return table?.wr === 0
  }

  lastId({ name, columns }: CopiedTable): Promise<number> {
    if (!columns.includes(numbered)) return Promise.resolve(0)
    const sequence = this.#file
      .query<{ seq: number }, [string]>('select seq from sqlite_sequence where name = ?')
      .get(name)
    const found = this.#file
      .query<{ last: number | string | null }, []>(`select max(id) as last from ${quoteName(name)}`)
      .get()
    return Promise.resolve(Math.max(sequence?.seq ?? 0, typeof found?.last === 'number' ? found.last : 0))
  }

  marks(): Promise<MoveMarks | null> {
    if (!this.#file.query('select 1 from sqlite_master where name = ?').get(marksTable)) return Promise.resolve(null)
    const rows = this.#file.query<{ name: string; value: string }, []>(`select name, value from ${marksTable}`).all()
    return Promise.resolve(readMarks(rows))
  }

  begin(stamp: string, tables: readonly CopiedTable[], earlier: MoveMarks | null): Promise<MoveMarks> {
    const triggers = this.#file
      .query<{ name: string; sql: string }, []>("select name, sql from sqlite_master where type = 'trigger'")
      .all()
    const indexes = this.#file.query<{ name: string; sql: string }, [string]>(
      "select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name = ?",
    )
    const marks = new Map<string, TableMark>()
    this.#file.transaction(() => {
      // One refuses to delete young rows, which are here those of an earlier move.
      for (const { name } of triggers) this.#file.run(`drop trigger ${quoteName(name)}`)
      this.#file.run(`drop table if exists ${marksTable}`)
      this.#file.run(`create table ${marksTable} (name text primary key, value text not null)`)
      this.#write(stampMark, stamp)
      for (const table of tables) {
        this.#file.run(`delete from ${quoteName(table.name)}`)
        const all = indexes.all(table.name)
        for (const { name } of all) this.#file.run(`drop index ${quoteName(name)}`)
        const mark = {
          ...unmarked,
          indexes: [...(earlier?.tables.get(table.name)?.indexes ?? []), ...all.map(({ sql }) => sql)],
        }
        this.#write(table.name, JSON.stringify(mark))
        marks.set(table.name, mark)
      }
      for (const { sql } of triggers) this.#file.run(sql)
    })()
    return Promise.resolve({ stamp, tables: marks })
  }

  async write({ name, columns }: CopiedTable, { rows }: CopiedRows, mark: TableMark): Promise<void> {
    // The source is asked for the next rows first, which a server reads meanwhile.
    await nextTurn()
    const insert = this.#file.query<unknown, Value[]>(
      `insert into ${quoteName(name)} (${listNames(columns)}) values (${places(columns)})`,
    )
    this.#file.transaction(() => {
      for (const row of rows) insert.run(...row)
      this.#write(name, JSON.stringify(mark))
    })()
  }

  complete({ name }: CopiedTable, mark: TableMark, last: number): Promise<void> {
    this.#file.transaction(() => {
      for (const statement of mark.indexes) this.#file.run(statement)
      this.#file
        .query<unknown, [number, string]>('update sqlite_sequence set seq = max(seq, ?) where name = ?')
        .run(last, name)
      this.#file
        .query<unknown, [string, number, string, string]>(
          `insert into sqlite_sequence (name, seq) select ?, ? where not exists (select 1 from sqlite_sequence where name = ?)
           and exists (select 1 from sqlite_master where name = ? and sql like '%autoincrement%')`,
        )
        .run(name, last, name, name)
      this.#write(name, JSON.stringify({ ...mark, state: 'copied', indexes: [] }))
    })()
    return Promise.resolve()
  }

  mark({ name }: CopiedTable, mark: TableMark): Promise<void> {
    this.#write(name, JSON.stringify(mark))
    return Promise.resolve()
  }

  finish(): Promise<void> {
    this.#file.run(`drop table ${marksTable}`)
    return Promise.resolve()
  }

  #write(name: string, value: string): void {
    this.#file
      .query<unknown, [string, string]>(
        `insert into ${marksTable} (name, value) values (?, ?) on conflict (name) do update set value = excluded.value`,
      )
      .run(name, value)
  }
}

/** Returns the names of tables in an order in which each comes after those that it refers to. */
function referencedFirst(names: readonly string[], references: (name: string) => readonly string[]): readonly string[] {
  const ordered = new Set<string>()
  const add = (name: string): void => {
    for (const other of references(name)) if (other !== name && !ordered.has(other)) add(other)
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered]
}

/** Returns the marks of the rows of their table. */
export function readMarks(rows: readonly { readonly name: string; readonly value: string }[]): MoveMarks {
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const stamp = z.string().parse(values.get(stampMark))
  values.delete(stampMark)
  const parse = (value: string) => tableMarkSchema.parse(JSON.parse(value))
  return { stamp, tables: new Map([...values].map(([name, value]) => [name, parse(value)])) }
}
