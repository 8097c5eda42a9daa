import { channelRoutes } from '@tollgate/contract'

import type { Context } from '../context'
import { parsedJson } from '../platform/text/parsed-json'
import { lockChannel } from './change-channels'

/** Each worker marks a channel at most once a minute; what occurs in between is counted with the next mark. */
const pauseMs = 60_000

interface Pending {
  count: number
  markedAt: number
}

/** Per worker, the counts of each channel that are not written yet. */
type Deps = Pick<Context, 'clock' | 'database'>

const pending = new WeakMap<Deps['database'], Map<number, Pending>>()

/**
 * Counts, in the row of a channel, that its upstream reported an impossible usage. The mark is removed when the channel is enabled again.
 */
export async function markCappedUsage(ctx: Deps, channelId: number): Promise<void> {
  const known = pending.get(ctx.database) ?? new Map<number, Pending>()
  pending.set(ctx.database, known)
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
      capped_at: ctx.clock.seconds(),
    }
    await transaction
      .updateTable('channels')
      .set({ other_info: JSON.stringify(marked) })
      .where('id', '=', channelId)
      .execute()
  })
}
