import { daySeconds, earningRoutes, hourSeconds, logType } from '@tollgate/contract'
import { sql } from 'kysely'

import { addEarnings, noEarnings } from '../../gateway/src/console-api/dashboard/earnings/earning-sums'
import { openSqliteReadOnly, type Database } from '../../gateway/src/platform/store/database'
import { openPostgres } from '../../gateway/src/platform/store/postgres'
import type { Site } from './site'

/** The figures that the log has of each call. */
const figures = ['count', 'quota', 'sold', 'cost', 'unpriced', 'prompt_tokens', 'cached_tokens', 'saved'] as const
type Sums = earningRoutes.EarningSums

export interface EarningsComparison {
  readonly name: string
  /** Milliseconds until the page's call was answered, and until the log was added up. */
  readonly ms: number
  readonly logMs: number
  readonly calls: number
  /** Rows of the page that were compared, and those whose figures are not those of the log. */
  readonly rows: number
  readonly different: readonly string[]
}

const maxRows = 500

/** What is compared: of one day by every grouping, and of all time by the day, as each of these adds the log up. */
const comparisons = [
  ...earningRoutes.earningGroupings.map((grouping) => ({ span: 'a day', days: 1, grouping })),
  { span: 'all time', days: 100, grouping: 'time' },
] as const

/** Yields comparisons of every figure of the earnings page with what a scan of the log adds up to. */
export async function* compareEarnings(
  { admin }: Site,
  dataDir: string,
  databaseUrl: string,
): AsyncGenerator<EarningsComparison> {
  const log = databaseUrl
    ? openPostgres(databaseUrl, { statementTimeoutMs: 3_600_000 })
    : openSqliteReadOnly(`${dataDir}/tollgate.sqlite`)
  const now = Math.floor(Date.now() / 1000)
  const tenDaysAgo = now - (now % daySeconds) - 10 * daySeconds
  for (const { span, days, grouping } of comparisons) {
    const [from, before] =
      days === 1
        ? [tenDaysAgo, tenDaysAgo + daySeconds]
        : [now - (now % hourSeconds) - days * daySeconds, now + hourSeconds]
    const beganAt = performance.now()
    const page = await admin.call(earningRoutes.earnings, {
      query: {
        start_timestamp: from,
        end_timestamp: before - 1,
        granularity: 'day',
        utc_offset: 0,
        group_by: grouping,
        limit: maxRows,
      },
    })
    const ms = performance.now() - beganAt
    const logged = await sumsOfLog(log, { from, before, grouping })
    const logMs = performance.now() - beganAt - ms
    const shown = page.rows.map((row) => [keyOf(grouping, row), row] as const)
    const all = [...page.rows, ...(page.rest ? [page.rest] : [])]
    const different = [
      ...differences('in total', page.totals, [...logged.values()].reduce(addEarnings, noEarnings)),
      ...differences('rows and the rest', all.reduce<Sums>(addEarnings, noEarnings), page.totals),
      ...shown.flatMap(([key, row]) => differences(key, row, logged.get(key) ?? noEarnings)),
    ]
    yield { name: `${span} by ${grouping}`, ms, logMs, calls: page.totals.count, rows: shown.length, different }
  }
  await log.close()
}

const keyOf = (
  grouping: earningRoutes.EarningGrouping,
  { id, name, key }: Pick<earningRoutes.EarningRow, 'id' | 'name' | 'key'>,
): string => (grouping === 'key' ? `${id}:${key ?? ''}` : String(id ?? name))

const differences = (of: string, shown: Sums, logged: Sums): string[] =>
  figures.flatMap((name) =>
    shown[name] === logged[name] ? [] : [`${of}: ${name} is ${shown[name]}, in the log ${logged[name]}`],
  )

interface LogQuery {
  readonly from: number
  readonly before: number
  readonly grouping: earningRoutes.EarningGrouping
}

/** Adds up the log itself, from the details of each call. */
async function sumsOfLog({ kind, query }: Database, { from, before, grouping }: LogQuery): Promise<Map<string, Sums>> {
  const detail = (...path: readonly (string | number)[]) =>
    sql.raw<string | null>(
      kind === 'sqlite'
        ? `json_extract(other, '$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}')`
        : `(other::json #>> '{${path.join(',')}}')`,
    )
  const cost = sql`cast(${detail('admin_info', 'cost')} as bigint)`
  const keys = {
    time: sql`created_at - created_at % ${sql.lit(daySeconds)}`,
    channel: sql`channel_id`,
    key: sql`channel_id || ':' || coalesce(${detail('admin_info', 'attempts', 0, 'key')}, '')`,
    model: sql`model_name`,
    group: sql`"group"`,
    user: sql`user_id`,
  } as const
  const { rows } = await sql<
    Sums & { key: string | number }
  >`select ${keys[grouping]} as key, count(*) as count, sum(quota) as quota,
      coalesce(sum(quota) filter (where ${cost} is not null), 0) as sold, coalesce(sum(${cost}), 0) as cost,
      count(*) - count(${cost}) as unpriced, sum(prompt_tokens) as prompt_tokens,
      coalesce(sum(cast(${detail('cache_tokens')} as bigint)), 0) as cached_tokens,
      coalesce(sum(cast(${detail('admin_info', 'cost_saved')} as bigint)), 0) as saved
    from logs where type = ${sql.lit(logType.consumption)} and created_at >= ${from} and created_at < ${before}
    group by 1`.execute(query)
  return new Map(rows.map(({ key, ...sums }) => [String(key), sums]))
}
