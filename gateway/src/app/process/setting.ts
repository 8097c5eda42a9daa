import type { Config } from '../../platform/config/config'
import { version } from '../../platform/config/version'
import type { DataFolder } from '../../platform/store/data-folder'

/** Returns the effective configuration without secrets: the first thing an operator looks for in a log. */
export const settingOf = (config: Config, folder: Pick<DataFolder, 'path'>): Record<string, string | number> => ({
  version,
  database: config.databaseUrl ? `PostgreSQL at ${placeOf(config.databaseUrl)}` : 'SQLite in the data folder',
  limits: config.redisUrl ? `Redis at ${placeOf(config.redisUrl)}` : 'in the memory of each worker',
  workers: config.workers,
  dataDir: folder.path,
  secretKey: config.secretKey ? 'SECRET_KEY' : 'a file in the data folder',
})

/** Host, port and database. The rest of a URL may contain a password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname.replace(/^\/$/, '')
}
