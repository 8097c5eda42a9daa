import { priceSyncRoutes, pageOf, type RouteInput } from '@tollgate/contract'
import { sql } from 'kysely'

import { AppError } from '../../platform/app-error'
import { handler, type Handler } from '../../http/handler'
import { decideProposals, isMatching, storedValue } from '../../channels/price-sync/decide'
import { nowOf, setSyncTime, syncTimes } from '../../channels/price-sync/sync-times'
import { setPriceSource } from './set-price-source'
import { syncState } from './sync-state'
import type { Context } from '../../context'

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
    audit.recordChange(Object.fromEntries(facts.map(([name, { before }]) => [name, before])), {
      decision,
      decided: decided.length,
      ...(decision === 'approve' && Object.fromEntries(facts.map(([name, { after }]) => [name, after]))),
    })
    return { decided: decided.length, outdated }
  }),
  handler(priceSyncRoutes.setPriceSource, async ({ params, body }, { ctx, audit }) => {
    const { before, after, name } = await setPriceSource(ctx, params.id, body)
    audit.target('channel', params.id, name)
    audit.recordChange(before, after)
    return undefined
  }),
]

type Query = RouteInput<typeof priceSyncRoutes.listProposals>['query']

/** Resolves with a page of proposals. */
async function findProposals({ catalog, database }: Pick<Context, 'catalog' | 'database'>, query: Query) {
  const { page, size, offset } = pageOf(query)
  const { state = 'waiting', keyword, source, order = 'model' } = query
  const found = database.query.selectFrom('price_proposals').where(isMatching({ state, keyword, source }))
  const sorted =
    order === 'change'
      ? found.orderBy(sql`case when percent is null then 1 else 0 end`).orderBy(sql`abs(percent)`, 'desc')
      : found
  const [rows, { total }] = await Promise.all([
    sorted.selectAll().orderBy('model').orderBy('id').limit(size).offset(offset).execute(),
    found.select((eb) => eb.fn.countAll().as('total')).executeTakeFirstOrThrow(),
  ])
  const { channels } = catalog.current
  const items = rows.map(({ before, after, reason, ...row }) => ({
    ...row,
    source_name: row.source === 'lists' ? '' : (channels.get(Number(row.source.replace('channel:', '')))?.name ?? ''),
    before: storedValue(before),
    after: storedValue(after),
    reason: proposalReason(reason),
  }))
  return { items, page, page_size: size, total: Number(total) }
}

const known: ReadonlySet<string> = new Set(priceSyncRoutes.proposalReasons)
const isReason = (text: string): text is priceSyncRoutes.ProposalReason => known.has(text)

/** Reads a stored reason; one of a later release is shown as the most general. */
const proposalReason = (text: string): priceSyncRoutes.ProposalReason => (isReason(text) ? text : 'structure')
