import { pageOf, type priceSyncRoutes, type RouteInput } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Context } from '../../context'
import { isMatching, storedValue } from '../../channels/price-sync/proposals'
import { proposalReason } from './proposal-reason'

type Query = RouteInput<typeof priceSyncRoutes.listProposals>['query']

/** Resolves with a page of proposals. */
export async function findProposals({ catalog, database }: Pick<Context, 'catalog' | 'database'>, query: Query) {
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
