import { systemRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { createTicket, redeemTicket } from '../../http/response/download-ticket'
import { handler, type Call, type Handler } from '../../http/handler'
import { levelNow, setLevel } from '../../platform/store/log-level'
import { refreshReleaseNews, readRelease } from '../../operations/release-news'
import { examination } from './examination'
import { supportBundle } from './support-bundle'
import { shownWorkers, systemState } from './system-state'

/** The name under which its tickets are issued. */
const bundle = 'support bundle'

export const systemHandlers: readonly Handler[] = [
  handler(systemRoutes.systemState, (_input, call) => systemState(call)),
  handler(systemRoutes.examineSystem, (_input, { ctx, language }) => examination(ctx, language)),
  handler(systemRoutes.setLogLevel, async ({ body: { level, minutes } }, { ctx, audit }) => {
    const before = await levelNow(ctx)
    const until = ctx.clock.seconds() + minutes * 60
    await setLevel(ctx, { level, until })
    audit.recordChange(before, await levelNow(ctx))
    return undefined
  }),
  handler(systemRoutes.responseCache, (_input, call) => responseCacheState(call)),
  handler(systemRoutes.clearResponseCache, async (_input, call) => {
    await clearResponseCache(call)
    return undefined
  }),
  handler(systemRoutes.supportBundle, (_input, call) => supportBundle(call)),
  handler(systemRoutes.createBundleTicket, (_input, call) => createTicket(call, bundle)),
  handler(systemRoutes.fetchBundle, async ({ query: { ticket } }, call) => {
    await redeemTicket(call, { file: bundle, ticket, grant: 'settings.secure' })
    return supportBundle(call)
  }),
  handler(systemRoutes.release, (_input, { ctx }) => readRelease(ctx)),
  handler(systemRoutes.checkRelease, async (_input, { ctx }) => {
    if (ctx.catalog.current.options.VersionCheckUrl === '') throw new AppError('release.off')
    await refreshReleaseNews(ctx)
    return readRelease(ctx)
  }),
]

type Figures = systemRoutes.WorkerState['response_cache']

/** Resolves with what the response caches of this node's workers did and hold; with Redis, with what all workers share. */
async function responseCacheState(call: Pick<Call, 'ctx' | 'site' | 'caller'>) {
  const { ctx, caller } = call
  const workers = await shownWorkers(call)
  const sumOf = (figure: keyof Figures) =>
    workers.reduce((sum, worker) => sum + (worker.response_cache[figure] ?? 0), 0)
  const isShared = ctx.config.redisUrl !== ''
  const shared = isShared ? await ctx.responses.sharedHeld() : null
  return {
    hits: sumOf('hits'),
    misses: sumOf('misses'),
    saved_quota: sumOf('saved_quota'),
    ...(caller?.grants.has('costs.read') && { saved_cost_quota: sumOf('saved_cost_quota') }),
    entries: shared?.entries ?? sumOf('entries'),
    bytes: shared?.bytes ?? sumOf('bytes'),
    is_shared: isShared,
    is_alone: isShared && shared === null,
  }
}

/** Removes all stored responses, also from the memory of other workers. @throws AppError `response_cache.away`. */
async function clearResponseCache({ ctx, audit }: Pick<Call, 'ctx' | 'audit'>): Promise<void> {
  const { held } = ctx.responses
  if (!(await ctx.responses.clearShared())) throw new AppError('response_cache.away')
  await ctx.database.query
    .transaction()
    .execute((transaction) => ctx.changes.announce({ topic: 'responses', refId: 0 }, transaction))
  await ctx.changes.deliver()
  audit.recordChange({ entries: held.entries }, { entries: 0 })
}
