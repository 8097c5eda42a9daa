import { AppError } from '../platform/app-error'
import type { Context } from '../context'
import type { Transaction } from '../platform/store/database'
import type { ChannelRow } from '../platform/store/tables'

/**
 * Changes channels in one transaction and notifies every worker. When this resolves, the new snapshot is in force here; elsewhere it is
 * within a second.
 */
export async function changeChannels<Result>(
  ctx: Pick<Context, 'changes' | 'database'>,
  change: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const result = await ctx.database.query.transaction().execute(async (transaction) => {
    const done = await change(transaction)
    await ctx.changes.announce({ topic: 'catalog', refId: 0 }, transaction)
    return done
  })
  await ctx.changes.deliver()
  return result
}

/** Makes every worker read the channels again. Resolves with their number. */
export const reloadChannels = (ctx: Context): Promise<number> =>
  changeChannels(ctx, async (transaction) => {
    const { count } = await transaction
      .selectFrom('channels')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  })

/** Reads and locks the row of a channel about to be changed, until the transaction ends. @throws AppError `channel.none`. */
export async function lockChannel(
  ctx: Pick<Context, 'database'>,
  channelId: number,
  transaction: Transaction,
): Promise<ChannelRow> {
  const row = await transaction
    .selectFrom('channels')
    .selectAll()
    .where('id', '=', channelId)
    .$if(ctx.database.kind === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw new AppError('channel.none')
  return row
}

/** Prefix of the counter for a copied channel's initial used quota, followed by the channel's id: only the rest is from its own calls. */
export const inheritedQuotaPrefix = 'channel-inherited-quota:'
