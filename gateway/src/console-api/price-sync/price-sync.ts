import { priceSyncRoutes } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import { handler, type Handler } from '../../http/handler'
import { decideProposals } from '../../channels/price-sync/decide'
import { nowOf, setSyncTime, syncTimes } from '../../channels/price-sync/sync-times'
import { findProposals } from './find-proposals'
import { setPriceSource } from './set-price-source'
import { syncState } from './sync-state'

/** The audit log shows the prices before and after for a few; for very many only their number. */
const maxNoted = 200

export const priceSyncHandlers: readonly Handler[] = [
  handler(priceSyncRoutes.priceSync, (_input, { ctx }) => syncState(ctx)),
  handler(priceSyncRoutes.runPriceSync, async (_input, { ctx }) => {
    await ctx.database.query.transaction().execute(async (transaction) => {
      const { started } = await syncTimes(transaction)
      await setSyncTime(transaction, 'requested', Math.max(nowOf(ctx.clock), started + 1))
      await ctx.changes.announce({ topic: 'price-sync', refId: 0 }, transaction)
    })
    await ctx.changes.deliver()
    return undefined
  }),
  handler(priceSyncRoutes.listProposals, ({ query }, { ctx }) => findProposals(ctx, query)),
  handler(priceSyncRoutes.decideProposals, async ({ body }, { ctx, caller, audit }) => {
    const { decision, ids, filter } = body
    if ((ids === undefined) === (filter === undefined)) throw new AppError('request.invalid')
    const { decided, outdated } = await decideProposals(ctx, { decision, ids, filter, username: caller.username })
    const facts = decided.slice(0, maxNoted).map((one) => [`${one.model} ${one.field}`, one] as const)
    audit.changed(Object.fromEntries(facts.map(([name, { before }]) => [name, before])), {
      decision,
      decided: decided.length,
      ...(decision === 'approve' && Object.fromEntries(facts.map(([name, { after }]) => [name, after]))),
    })
    return { decided: decided.length, outdated }
  }),
  handler(priceSyncRoutes.setPriceSource, async ({ params, body }, { ctx, audit }) => {
    const { before, after, name } = await setPriceSource(ctx, params.id, body)
    audit.target('channel', params.id, name)
    audit.changed(before, after)
    return undefined
  }),
]
