import type { priceSyncRoutes, RouteInput } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { channelSourceName } from '../../channels/price-sync/price-sources'

type SourceRequest = RouteInput<typeof priceSyncRoutes.setPriceSource>['body']

/**
 * Makes the gateway behind a channel a source of prices, or removes it, together with its undecided proposals.
 * @throws AppError `channel.none`.
 */
export async function setPriceSource(
  { catalog, database }: Context,
  channelId: number,
  { use, group = 'default' }: SourceRequest,
) {
  const channel = catalog.current.channels.get(channelId)
  if (!channel) throw new AppError('channel.none')
  const name = channelSourceName(channelId)
  return database.query.transaction().execute(async (transaction) => {
    const known = await transaction.selectFrom('price_sources').selectAll().where('name', '=', name).executeTakeFirst()
    const isOther = known && (known.used_for !== use || known.upstream_group !== group)
    if (isOther)
      await transaction
        .deleteFrom('price_proposals')
        .where('source', '=', name)
        .where('state', 'in', ['waiting', 'refused'])
        .execute()
    if (use === 'off') await transaction.deleteFrom('price_sources').where('name', '=', name).execute()
    else
      await transaction
        .insertInto('price_sources')
        .values({ name, channel_id: channelId, used_for: use, upstream_group: group })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ used_for: use, upstream_group: group }))
        .execute()
    return {
      name: channel.name,
      before: known ? { use: known.used_for, group: known.upstream_group } : { use: 'off' },
      after: use === 'off' ? { use } : { use, group },
    }
  })
}
