import { LogShipping } from '../../billing/usage-log/clickhouse/ship-logs'
import type { Context } from '../../context'
import type { ClickHouse } from '../../platform/store/clickhouse/clickhouse'
import type { Job } from './job'

/** Takes rows of the log from the database to ClickHouse. While that is down they wait in the database. */
export function shipLogs(context: Context, clickHouse: ClickHouse): Job {
  const shipping = new LogShipping({ ...context, clickHouse })
  return {
    name: 'ship-logs',
    everyMs: 10_000,
    run: (signal) => shipping.run(signal, context.catalog.current.options.LogRetentionDays),
  }
}
