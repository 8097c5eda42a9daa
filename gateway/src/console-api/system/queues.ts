import type { systemRoutes } from '@tollgate/contract'

import type { Context } from '../../context'
import { oldestWaiting } from '../../billing/analytics/add-up'
import { spans } from '../../billing/analytics/dimensions'

type Deps = Pick<Context, 'clock' | 'database'>
type Queue = systemRoutes.SystemState['queues'][number]

/** Returns what is waiting to be done, and for how long the oldest item has. */
export async function queues(ctx: Deps, workers: readonly systemRoutes.WorkerState[]): Promise<Queue[]> {
  return [
    charges(workers),
    await waiting(ctx, 'mails'),
    await waiting(ctx, 'webhooks'),
    await invitations(ctx),
    await usage(ctx),
  ]
}

/** Only of this node: the journals of other nodes are known to them alone. */
const charges = (workers: readonly systemRoutes.WorkerState[]): Queue => ({
  name: 'charges',
  waiting: workers.reduce((sum, worker) => sum + worker.journal_charges, 0),
  oldest_seconds: Math.round(Math.max(0, ...workers.map((worker) => worker.journal_oldest_seconds))),
})

const ageOf = ({ clock }: Pick<Context, 'clock'>, since: number | null): number =>
  since === null ? 0 : Math.max(0, Math.round(clock.seconds() - since))

async function waiting(ctx: Deps, name: 'mails' | 'webhooks'): Promise<Queue> {
  const { count, oldest } = await ctx.database.query
    .selectFrom(name === 'mails' ? 'mails' : 'webhook_deliveries')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return { name, waiting: count, oldest_seconds: ageOf(ctx, oldest) }
}

/** Most of them may wait for ever: for an invitee who never pays. */
async function invitations(ctx: Deps): Promise<Queue> {
  const { count, oldest } = await ctx.database.query
    .selectFrom('invitations')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return { name: 'invitations', waiting: count, oldest_seconds: ageOf(ctx, oldest) }
}

/** Returns how long ago the oldest hour ended that is not rolled up yet. */
async function usage(ctx: Deps): Promise<Queue> {
  const hour = await oldestWaiting(ctx.database.query)
  return { name: 'usage', waiting: null, oldest_seconds: ageOf(ctx, hour === undefined ? null : hour + spans.hour) }
}
