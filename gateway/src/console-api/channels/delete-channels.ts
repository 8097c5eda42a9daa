import { channelStatus } from '@tollgate/contract'

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import { changeChannels } from '../../channels/change-channels'

/** Deletes these channels; resolves with how many there were. @throws AppError `channel.none_to_delete`. */
export function deleteChannels(
  ctx: Pick<Context, 'changes' | 'database'>,
  channelIds: readonly number[],
): Promise<number> {
  if (channelIds.length === 0) throw new AppError('channel.none_to_delete')
  return changeChannels(ctx, (transaction) => deleteRows(channelIds, transaction))
}

/** Resolves with the channels that are not enabled, disabled manually or after an error. */
export async function disabledChannels(ctx: Context): Promise<number[]> {
  const rows = await ctx.database.query
    .selectFrom('channels')
    .select('id')
    .where('status', 'in', [channelStatus.disabled, channelStatus.autoDisabled])
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes every channel that is not enabled, disabled manually or after an error. */
export function deleteDisabledChannels(ctx: Context): Promise<number> {
  return changeChannels(ctx, async (transaction) => {
    const rows = await transaction
      .selectFrom('channels')
      .select('id')
      .where('status', 'in', [channelStatus.disabled, channelStatus.autoDisabled])
      .execute()
    return rows.length === 0
      ? 0
      : deleteRows(
          rows.map(({ id }) => id),
          transaction,
        )
  })
}

async function deleteRows(channelIds: readonly number[], transaction: Transaction): Promise<number> {
  const { numDeletedRows } = await transaction.deleteFrom('channels').where('id', 'in', channelIds).executeTakeFirst()
  return Number(numDeletedRows)
}
