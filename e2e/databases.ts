import { migratedPostgres } from '../gateway/test/databases'

/** Both kinds where PostgreSQL is available; the test command starts a server and sets the variable. */
export const databaseKinds: readonly ('sqlite' | 'postgres')[] = process.env['TEST_POSTGRES_URL']
  ? ['sqlite', 'postgres']
  : ['sqlite']

export interface FreshDatabase extends AsyncDisposable {
  /** The value for `DATABASE_URL`: empty for SQLite. */
  readonly url: string
}

/** Creates a database without data, dropped on disposal. */
export async function freshDatabase(kind: 'sqlite' | 'postgres'): Promise<FreshDatabase> {
  if (kind === 'sqlite' || databaseKinds.length < 2) return { url: '', async [Symbol.asyncDispose]() {} }
  const database = await migratedPostgres()
  return { url: database.url, [Symbol.asyncDispose]: () => database.drop() }
}
