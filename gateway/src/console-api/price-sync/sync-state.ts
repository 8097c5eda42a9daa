import type { priceSyncRoutes, RouteData } from '@tollgate/contract'
import { priceSyncRoutes as routes } from '@tollgate/contract'

import type { Context } from '../../context'
import { listSources } from '../../channels/price-sync/price-sources'
import { isRunning, nextRun, nowOf, syncTimes } from '../../channels/price-sync/sync-times'
import { yuanRateSource } from '../../channels/price-sync/yuan-rate'
import type { Database } from '../../platform/store/database'

/** Resolves with the sources of prices and the outcome of their last reading. */
export async function syncState(ctx: Context): Promise<RouteData<typeof routes.priceSync>> {
  const { catalog, clock, database } = ctx
  const { channels, options } = catalog.current
  const [times, rows, counts] = await Promise.all([
    syncTimes(database.query),
    database.query.selectFrom('price_sources').selectAll().orderBy('channel_id').execute(),
    countsOf(database),
  ])
  const readingOf = (name: string) => {
    const row = rows.find((one) => one.name === name)
    return {
      last_run_at: row?.last_run_at ?? null,
      last_success_at: row?.last_success_at ?? null,
      failure: failureOf(row?.failure ?? ''),
      status: row?.status ?? null,
      models: row?.models ?? 0,
    }
  }
  const publicOf = (kind: 'list' | 'rate', name: string, url: string) => ({
    name,
    kind,
    url,
    channel_id: 0,
    channel_name: '',
    use: 'sale' as const,
    group: '',
    ...readingOf(name),
  })
  const lists = listSources(options).map(({ name, url }) => publicOf('list', name, url))
  const rate = publicOf('rate', yuanRateSource, options.PriceSyncYuanRateUrl)
  const gateways = rows.flatMap((row) => {
    const channel = channels.get(row.channel_id)
    if (row.channel_id === 0 || !channel) return []
    return {
      name: row.name,
      kind: 'channel' as const,
      url: channel.baseUrl || (channel.provider.baseUrl ?? ''),
      channel_id: channel.id,
      channel_name: channel.name,
      use: row.used_for,
      group: row.upstream_group,
      ...readingOf(row.name),
    }
  })
  return {
    schedule: options.PriceSyncSchedule,
    is_running: isRunning(times, nowOf(clock)),
    last_run_at: times.started || null,
    next_run_at: nextRun(times, options.PriceSyncSchedule),
    sources: [...lists, rate, ...gateways],
    counts,
  }
}

const failures: ReadonlySet<string> = new Set(routes.sourceFailures)
const isFailure = (text: string): text is priceSyncRoutes.SourceFailure => failures.has(text)
const failureOf = (text: string): priceSyncRoutes.SourceFailure | '' =>
  text === '' || isFailure(text) ? text : 'unreachable'

async function countsOf({ query }: Database) {
  const rows = await query
    .selectFrom('price_proposals')
    .select(['state', (eb) => eb.fn.countAll().as('count')])
    .groupBy('state')
    .execute()
  const count = (state: priceSyncRoutes.ProposalState) => Number(rows.find((row) => row.state === state)?.count ?? 0)
  return {
    waiting: count('waiting'),
    applied: count('applied'),
    rejected: count('rejected'),
    refused: count('refused'),
  }
}
