import type { Config } from '../../platform/config/config'
import type { ClickHouse } from '../../platform/store/clickhouse/clickhouse'
import type { Database } from '../../platform/store/database'
import { sqlLogs, type LogStore } from './log-store'

export interface OpenedLogs {
  readonly logs: LogStore
  readonly clickHouse: ClickHouse | null
}

/** Opens the log where it is: in the database, or in ClickHouse where the operator names one. Its client is loaded only then. */
export async function openLogs(
  { clickHouseUrl }: Pick<Config, 'clickHouseUrl'>,
  database: Pick<Database, 'kind' | 'query'>,
): Promise<OpenedLogs> {
  if (!clickHouseUrl) return { logs: sqlLogs(database), clickHouse: null }
  const { openClickHouse } = await import('../../platform/store/clickhouse/clickhouse')
  const { ClickHouseLogs } = await import('./clickhouse/clickhouse-logs')
  const clickHouse = openClickHouse(clickHouseUrl)
  return { logs: new ClickHouseLogs(database, clickHouse), clickHouse }
}
