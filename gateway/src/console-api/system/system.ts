import { systemRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { createTicket, redeemTicket } from '../../http/response/download-ticket'
import { handler, type Handler } from '../../http/handler'
import { levelNow, setLevel } from '../../platform/store/log-level'
import { refreshReleaseNews, readRelease } from '../../operations/release-news'
import { examination } from './examination'
import { supportBundle } from './support-bundle'
import { systemState } from './system-state'

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
