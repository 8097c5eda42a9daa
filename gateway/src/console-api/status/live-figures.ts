import type { RouteData, statusRoutes } from '@tollgate/contract'

import { lastDays } from '../../billing/analytics/hours'
import { readMeasures } from '../../billing/analytics/measures/read-measures'
import type { Context } from '../../context'

type Figures = RouteData<typeof statusRoutes.getFigures>

const keptMs = 60_000

/** Figures of the last 24 hours for guests, read once a minute however many ask. */
export class LiveFigures {
  readonly #context: Context
  #found: Promise<Figures> | undefined
  #readAt = 0

  constructor(context: Context) {
    this.#context = context
  }

  read(): Promise<Figures> {
    const now = this.#context.clock.now()
    if (this.#found && now - this.#readAt < keptMs) return this.#found
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
