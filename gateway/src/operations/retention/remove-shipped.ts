import { readShipments } from '../../billing/usage-log/clickhouse/shipments'
import type { Context } from '../../context'

/**
 * Removes consumption and error rows from before a moment (seconds) that were shipped to ClickHouse. Those in the database must be gone
 * already. Resolves with their number.
 */
export async function removeShipped(
  { clickHouse, database }: Pick<Context, 'clickHouse' | 'database'>,
  before: number,
): Promise<number> {
  if (!clickHouse || !(await readShipments(database.query))?.ended) return 0
  const { removeStored } = await import('../../billing/usage-log/clickhouse/log-table')
  return removeStored(clickHouse, before)
}
