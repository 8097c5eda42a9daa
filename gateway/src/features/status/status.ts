import { statusRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import { siteStatus } from './site-status'

/** A gateway that is set up stays so: then the database need not be queried again. */
const setUpContexts = new WeakSet<Context>()

async function isSetUp(ctx: Context): Promise<boolean> {
  if (setUpContexts.has(ctx)) return true
  const row = await ctx.database.query.selectFrom('setups').select('id').executeTakeFirst()
  if (row) setUpContexts.add(ctx)
  return row !== undefined
}

export const statusHandlers: readonly Handler[] = [
  handler(statusRoutes.getStatus, async (_input, { ctx, site }) =>
    siteStatus(ctx.catalog.current.options, {
      startedAt: site.startedAt,
      isSetUp: await isSetUp(ctx),
      urls: ctx.config.serviceUrls,
    }),
  ),
]
