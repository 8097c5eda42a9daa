import { channelRoutes } from '@tollgate/contract'

import type { Context } from '../context'
import { parsedJson } from '../parsed-json'
import { lockChannel } from './change-channels'

/** A channel is marked at most once a minute by each worker; what comes between is counted with the next mark. */
const pauseMs = 60_000

interface Pending {
  count: number
  markedAt: number
}

/** By worker: of each channel what is not marked yet. */
const pending = new WeakMap<Context, Map<number, Pending>>()

/** Counts, in the row of a channel, that its upstream reported a usage that is impossible. The mark goes when the channel is enabled anew. */
export async function markCappedUsage(ctx: Context, channelId: number): Promise<void> {
  const known = pending.get(ctx) ?? new Map<number, Pending>()
  pending.set(ctx, known)
  const now = ctx.clock.monotonic()
  const entry = known.get(channelId) ?? { count: 0, markedAt: -Infinity }
  known.set(channelId, entry)
  entry.count += 1
  if (now - entry.markedAt < pauseMs) return
  const { count } = entry
  known.set(channelId, { count: 0, markedAt: now })
  await ctx.database.query.transaction().execute(async (transaction) => {
    const { other_info } = await lockChannel(ctx, channelId, transaction)
    const info = channelRoutes.ChannelInfo.safeParse(parsedJson(other_info)).data ?? {}
    const marked: channelRoutes.ChannelInfo = {
      ...info,
      capped_count: (info.capped_count ?? 0) + count,
      capped_at: Math.floor(ctx.clock.now() / 1000),
    }
    await transaction
      .updateTable('channels')
      .set({ other_info: JSON.stringify(marked) })
      .where('id', '=', channelId)
      .execute()
  })
}
