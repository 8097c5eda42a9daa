import { SQL } from 'bun'

/** Both kinds where PostgreSQL is available; the test command starts a server and sets the variable. */
const serverUrl = process.env['TEST_POSTGRES_URL']
export const databaseKinds: readonly ('sqlite' | 'postgres')[] = serverUrl ? ['sqlite', 'postgres'] : ['sqlite']

export interface FreshDatabase extends AsyncDisposable {
  /** The value for `DATABASE_URL`: empty for SQLite. */
  readonly url: string
}

/** Creates an empty database, dropped on disposal. */
export async function freshDatabase(kind: 'sqlite' | 'postgres'): Promise<FreshDatabase> {
  if (kind === 'sqlite' || !serverUrl) return { url: '', async [Symbol.asyncDispose]() {} }
  const name = `e2e_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, [Symbol.asyncDispose]: () => onServer(serverUrl, `drop database ${name} with (force)`) }
}

async function onServer(url: string, statement: string): Promise<void> {
  const sql = new SQL(url, { max: 1 })
  await sql.unsafe(statement)
  await sql.close()
}
