import { daySeconds } from '@tollgate/contract'
import { targetName, siteId } from '../messaging/notices/stored-target'
import type { Clock } from '../platform/time/clock'
import type { Examined } from './check-database'
import { ok, sentence, warn, type Finding } from './finding'

const subject = 'events'

/** Checks that events reach the webhooks of the site: the last one to each target within a day. */
export async function checkEvents({ database, tables }: Examined, clock: Pick<Clock, 'seconds'>): Promise<Finding> {
  if (!database || tables !== 'there') return ok(subject, sentence('events.none'))
  const deliveries = await database.query
    .selectFrom('webhook_deliveries')
    .select(['url', 'delivered_at', 'status', 'failure', 'response'])
    .where('user_id', '=', siteId)
    .where('attempted_at', '>', clock.seconds() - daySeconds)
    .orderBy('attempted_at', 'desc')
    .limit(500)
    .execute()
  const lastOfEach = [...Map.groupBy(deliveries, ({ url }) => url).values()].flatMap((rows) => rows.slice(0, 1))
  const failing = lastOfEach.filter(({ delivered_at: at }) => at === null)
  const [first] = failing
  if (!first) return ok(subject, sentence(lastOfEach.length === 0 ? 'events.none' : 'events.good'))
  const targets = failing.map(({ url }) => targetName(url)).join(', ')
  const reason = first.failure || `HTTP ${first.status} ${first.response}`.trim().slice(0, 200)
  return warn(subject, sentence('events.failing', { targets, reason }), sentence('events.advice'))
}
