import { openBusySqlite, type Database, type Durability } from './database'
import type { PostgresOptions } from './postgres'

/** Opens the database the operator configured: PostgreSQL by its URL, otherwise the SQLite file. Only the driver that is used is loaded. */
export async function openDatabase(
  config: { databaseUrl: string; durability: Durability },
  sqlitePath: string,
  options?: PostgresOptions,
): Promise<Database> {
  if (!config.databaseUrl) return openBusySqlite(sqlitePath, config.durability)
  const { openPostgres } = await import('./postgres')
  return openPostgres(config.databaseUrl, options)
}
