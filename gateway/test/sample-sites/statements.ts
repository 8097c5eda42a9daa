import { Database as SqliteFile } from 'bun:sqlite'

/*
 * Small sites of other products, with the columns that their tables have and the odd cases that grown sites have: names and addresses that
 * several users have, closed accounts, negative balances, several keys, unknown types, values of older releases, nothing where something
 * should be.
 */

type Kind = 'sqlite' | 'postgres' | 'mysql'
export type Value = string | number | boolean | null

/** `id`: numbered. `fixed`: a text of a fixed length. */
export type ColumnType = 'id' | 'int' | 'text' | 'flag' | 'time' | 'fixed' | 'decimal' | 'json'

export interface SampleTable {
  readonly columns: Readonly<Record<string, ColumnType>>
  readonly rows: readonly Readonly<Record<string, Value>>[]
}
export type SampleSite = Readonly<Record<string, SampleTable>>

const types: Readonly<Record<Kind, Readonly<Record<ColumnType, string>>>> = {
  sqlite: {
    id: 'integer primary key autoincrement',
    int: 'integer',
    text: 'text',
    flag: 'numeric',
    time: 'datetime',
    fixed: 'char(48)',
    decimal: 'real',
    json: 'json',
  },
  postgres: {
    id: 'bigserial primary key',
    int: 'bigint',
    text: 'text',
    flag: 'boolean',
    time: 'timestamptz',
    fixed: 'char(48)',
    decimal: 'double precision',
    json: 'json',
  },
  mysql: {
    id: 'bigint auto_increment primary key',
    int: 'bigint',
    text: 'longtext',
    flag: 'boolean',
    time: 'datetime(3)',
    fixed: 'char(48)',
    decimal: 'double',
    json: 'json',
  },
}

const literal = (value: Value, kind: Kind): string => {
  if (typeof value === 'boolean') return kind === 'sqlite' ? String(Number(value)) : String(value)
  if (typeof value !== 'string') return String(value)
  const text = kind === 'mysql' ? value.replaceAll('\\', '\\\\') : value
  return `'${text.replaceAll("'", "''")}'`
}

/** Returns the statements that create a site. */
export function sampleStatements(site: SampleSite, kind: Kind): string[] {
  const mark = kind === 'mysql' ? '`' : '"'
  const quote = (name: string) => mark + name + mark
  return Object.entries(site).flatMap(([table, { columns, rows }]) => [
    `create table ${quote(table)} (${Object.entries(columns)
      .map(([name, type]) => `${quote(name)} ${types[kind][type]}`)
      .join(', ')})`,
    ...rows.map((row) => {
      const names = Object.keys(row)
      return `insert into ${quote(table)} (${names.map(quote).join(', ')}) values (${names
        .map((name) => literal(row[name] ?? null, kind))
        .join(', ')})`
    }),
  ])
}

/** Creates a site as a file of SQLite. */
export function createSampleFile(site: SampleSite, path: string): void {
  const file = new SqliteFile(path, { create: true })
  file.transaction(() => {
    for (const statement of sampleStatements(site, 'sqlite')) file.run(statement)
  })()
  file.close()
}
