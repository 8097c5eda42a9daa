import { isWithinReach, auditDone, channelRoutes, channelStatus, parsePhrase, daySeconds } from '@tollgate/contract'
import { z } from 'zod'

import type { Call, Caller } from '../../http/handler'
import { parsedJson } from '../../platform/text/parsed-json'
import { shownText } from '../../platform/locales/sentence'

type Event = channelRoutes.ChannelEvent
type Reader = Pick<Call<'user'>, 'ctx' | 'language'> & {
  readonly caller: Pick<Caller, 'userId' | 'rank'>
}

const historySeconds = 90 * daySeconds

/** Resolves with what the gateway did by itself, from the usage log, and what people did, from the audit log. */
export async function channelHistory(reader: Reader, channelId: number): Promise<Event[]> {
  const since = reader.ctx.clock.seconds() - historySeconds
  const [own, byHand] = await Promise.all([
    eventsOfGateway(reader, channelId, since),
    eventsByHand(reader, channelId, since),
  ])
  return [...own, ...byHand].sort((one, other) => other.at - one.at).slice(0, channelRoutes.maxEvents)
}

const kindOf: Readonly<Record<string, Event['kind']>> = {
  'log.channel_disabled': 'disabled',
  'log.key_disabled': 'key_disabled',
  'log.channel_enabled': 'enabled',
  'log.key_enabled': 'key_enabled',
}

async function eventsOfGateway({ ctx, language }: Reader, channelId: number, since: number): Promise<Event[]> {
  const rows = await ctx.logs.channelEvents(channelId, since, channelRoutes.maxEvents)
  return rows.flatMap(({ created_at: at, content }) => {
    const kind = kindOf[parsePhrase(content)?.code ?? '']
    return kind ? [{ at, kind, is_by_hand: false, username: '', text: shownText(content, language) }] : []
  })
}

const Facts = z.object({ status: z.number() })

async function eventsByHand({ ctx, caller }: Reader, channelId: number, since: number): Promise<Event[]> {
  const rows = await ctx.database.query
    .selectFrom('audit_log')
    .where('target', '=', 'channel')
    .where('target_id', '=', String(channelId))
    .where('created_at', '>=', since)
    .where('outcome', '=', auditDone)
    .where('action', '!=', 'channel.create')
    .select(['created_at', 'user_id', 'username', 'role', 'after'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxAuditRows)
    .execute()
  return rows.flatMap(({ created_at: at, user_id: userId, username, role, after }) => {
    const status = Facts.safeParse(parsedJson(after)).data?.status
    if (status !== channelStatus.enabled && status !== channelStatus.disabled) return []
    const isReadable = userId === caller.userId || isWithinReach(caller.rank, role)
    const kind = status === channelStatus.enabled ? ('enabled' as const) : ('disabled' as const)
    return [{ at, kind, is_by_hand: true, username: isReadable ? username : '', text: '' }]
  })
}

/** Most changes of a channel do not concern its status. */
const maxAuditRows = 500
