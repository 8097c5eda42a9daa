import { Database as SqliteFile } from 'bun:sqlite'
import { existsSync } from 'node:fs'

import { SQL } from 'bun'
import { z } from 'zod'

import { messageOf } from '../../../platform/text/message-of'
import { ImportError } from '../import-error'
import type { SourceDatabase, SourceRow } from './source-database'

const schemes = { 'mysql:': 'mysql', 'mariadb:': 'mysql', 'postgres:': 'postgres', 'postgresql:': 'postgres' } as const

/**
 * Opens a database for reading: a file of SQLite, or a server by its URL.
 * @throws ImportError when there is none, or it does not respond.
 */
export async function openSource(location: string): Promise<SourceDatabase> {
  const kind = serverKind(location)
  if (!kind && !existsSync(location)) throw new ImportError(`There is no file ${location}.`)
  // The URL has a password.
  const name = kind ? `The ${kind} server` : location
  const refuse = (cause: unknown): never => {
    throw new ImportError(`${name} cannot be read: ${messageOf(cause)}`, { cause })
  }
  const source = await Promise.resolve()
    .then(() => (kind ? openServerSource(kind, location) : openSqliteSource(location)))
    .catch(refuse)
  return { ...source, select: (statement) => source.select(statement).catch(refuse) }
}

function serverKind(location: string): 'mysql' | 'postgres' | null {
  const scheme = /^[a-z]+:(?=\/\/)/i.exec(location)?.[0].toLowerCase() ?? ''
  return Object.hasOwn(schemes, scheme) ? schemes[scheme as keyof typeof schemes] : null
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Opens a file that another program may be writing to; it is not changed. @throws Error when it is not a database. */
function openSqliteSource(path: string): SourceDatabase {
  const file = new SqliteFile(path, { readonly: true })
  file.run('pragma query_only = on')
  file.run('pragma busy_timeout = 10000')
  // Everything is read as of the first statement that follows.
  file.run('begin')
  const select = (statement: string) => file.query<SourceRow, []>(statement).all()
  select('select count(*) from sqlite_master')
  return {
    kind: 'sqlite',
    quote: quoteName,
    select: async (statement) => select(statement),
    tables: async () =>
      new Map(
        file
          .query<{ name: string }, []>(`select name from sqlite_master where type = 'table'`)
          .all()
          .map(({ name }) => [name, columnsOf(file, name)]),
      ),
    close: async () => file.close(),
  }
}

const columnsOf = (file: SqliteFile, table: string): ReadonlySet<string> =>
  new Set(
    file
      .query<{ name: string }, [string]>('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => name),
  )

const beginnings = {
  postgres: ['begin isolation level repeatable read read only'],
  mysql: [
    // Times as they are stored, in UTC as far as the server knows.
    `set time_zone = '+00:00'`,
    'set transaction isolation level repeatable read',
    'start transaction with consistent snapshot, read only',
  ],
} as const

const marks = { postgres: '"', mysql: '`' } as const
const schemas = { postgres: 'current_schema()', mysql: 'database()' } as const

const Column = z.object({ table: z.string(), column: z.string() })

/** Opens one connection to a server, in a transaction that cannot write. @throws Error when it does not respond. */
async function openServerSource(kind: 'postgres' | 'mysql', url: string): Promise<SourceDatabase> {
  const client = new SQL(url.replace(/^mariadb:/i, 'mysql:'), { max: 1, idleTimeout: 0, maxLifetime: 0 })
  const connection = await client.reserve()
  const select = async (statement: string): Promise<readonly SourceRow[]> => {
    const rows: unknown = await connection.unsafe(statement)
    return Array.isArray(rows) ? (rows as readonly SourceRow[]) : []
  }
  for (const statement of beginnings[kind]) await select(statement)
  const mark = marks[kind]
  return {
    kind,
    select,
    quote: (name) => mark + name.replaceAll(mark, mark + mark) + mark,
    async tables() {
      const rows = await select(`select table_name as ${mark}table${mark}, column_name as ${mark}column${mark}
        from information_schema.columns where table_schema = ${schemas[kind]}`)
      const columns = rows.map((row) => Column.parse(row))
      return new Map(
        [...Map.groupBy(columns, ({ table }) => table)].map(([table, of]) => [
          table,
          new Set(of.map(({ column }) => column)),
        ]),
      )
    },
    async close() {
      await select('rollback')
      void connection.release()
      await client.close()
    },
  }
}
