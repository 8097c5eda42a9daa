import { statusRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import { LiveFigures } from './live-figures'
import { siteStatus } from './site-status'

/** A gateway that is set up stays so: then the database need not be queried again. */
const setUpContexts = new WeakSet<Context>()

async function isSetUp(ctx: Context): Promise<boolean> {
  if (setUpContexts.has(ctx)) return true
  const row = await ctx.database.query.selectFrom('setups').select('id').executeTakeFirst()
  if (row) setUpContexts.add(ctx)
  return row !== undefined
}

/** The figures of each gateway in this process. */
const figures = new WeakMap<Context, LiveFigures>()

function figuresOf(ctx: Context): LiveFigures {
  const known = figures.get(ctx) ?? new LiveFigures(ctx)
  figures.set(ctx, known)
  return known
}

export const statusHandlers: readonly Handler[] = [
  handler(statusRoutes.getStatus, async (_input, { ctx, site }) =>
    siteStatus(ctx.catalog.current.options, {
      startedAt: site.startedAt,
      isSetUp: await isSetUp(ctx),
      urls: ctx.config.serviceUrls,
    }),
  ),
  handler(statusRoutes.getFigures, (_input, { ctx }) => figuresOf(ctx).read()),
]
