import { statusRoutes, type RouteData } from '@tollgate/contract'

import type { Context } from '../../context'
import { handler, type Handler } from '../../http/handler'
import { siteStatus } from './site-status'
import { lastDays } from '../../billing/analytics/rollups'
import { readMeasures } from '../../billing/analytics/measures/read-measures'

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

type Figures = RouteData<typeof statusRoutes.getFigures>

const cacheMs = 60_000

/** Figures of the last 24 hours for guests, read once a minute however many ask. */
class LiveFigures {
  readonly #context: Context
  #found: Promise<Figures> | undefined
  #readAt = 0

  constructor(context: Context) {
    this.#context = context
  }

  read(): Promise<Figures> {
    const now = this.#context.clock.now()
    if (this.#found && now - this.#readAt < cacheMs) return this.#found
    const found = readFigures(this.#context, now)
    this.#found = found
    this.#readAt = now
    // The next guest asks again.
    found.catch(() => {
      if (this.#found === found) this.#found = undefined
    })
    return found
  }
}

async function readFigures({ database }: Context, nowMs: number): Promise<Figures> {
  const measures = await readMeasures(database.query, { filter: {}, hours: lastDays(1, nowMs) })
  return { first_token_p50_ms: measures?.total.firstToken.percentile(0.5) ?? null }
}
