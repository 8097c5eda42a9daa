import { daySeconds, parsePhrase, systemRoutes, type PhraseParam } from '@tollgate/contract'
import { sql, type RawBuilder } from 'kysely'

import type { Database, Queries } from '../platform/store/database'
import type { Clock } from '../platform/time/clock'
import type { Examined } from './check-database'
import { fail, ok, sentence, warn, type Finding } from './finding'
import { siteId, targetName } from '../messaging/notices/event-targets'
import { jobNote, readNote, readNotes, untrustedProxyNote } from '../platform/store/site-notes'
import type { Config } from '../platform/config/config'
import { isTrustedProxy } from '../http/request/client-address'
import { UntrustedSighting } from '../http/request/untrusted-proxies'

const mailSubject = 'mail'
/** Longer than the first attempts take. */
const noticeableSeconds = 300

/** Checks that mails are sent: none waits for long, and none was given up lately. */
export async function checkMail({ database, tables }: Examined, clock: Pick<Clock, 'seconds'>): Promise<Finding> {
  if (!database || tables !== 'there') return ok(mailSubject, sentence('mail.unset'))
  const server = await storedOption(database, 'SMTPServer')
  if (!server) return ok(mailSubject, sentence('mail.unset'))
  const seconds = clock.seconds()
  const waiting = await database.query
    .selectFrom('mails')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  const failed = await database.query
    .selectFrom('mails')
    .select(['failure', 'due_at'])
    .where('failure', '!=', '')
    .where('sent_at', 'is', null)
    .where('created_at', '>', seconds - daySeconds)
    .orderBy('created_at', 'desc')
    .execute()
  const [last] = failed
  if (!last && seconds - (waiting.oldest ?? seconds) <= noticeableSeconds)
    return ok(mailSubject, sentence('mail.good', { server }))
  const abandoned = failed.filter(({ due_at: dueAt }) => dueAt === null).length
  const counts = { count: waiting.count, lost: abandoned }
  const text = last
    ? sentence('mail.failing', { ...counts, reason: failureText(last.failure) })
    : sentence('mail.waiting', counts)
  return warn(mailSubject, text, sentence('mail.advice'))
}

async function storedOption({ query }: Database, key: string): Promise<string> {
  const row = await query.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value.trim() ?? ''
}

const failureText = (failure: string): PhraseParam => parsePhrase(failure) ?? failure

const booksSubject = 'books'
const usersAtOnce = 500
/** Later users are left to `reconcile`. */
const maxMs = 2000

/** Checks for a short time that balances are what was credited minus what was used. */
export async function checkBooks({ database, tables }: Examined, now: () => number): Promise<Finding> {
  if (!database || tables !== 'there') return ok(booksSubject, sentence('books.none'))
  const { query } = database
  const began = now()
  let checked = 0
  for (let last = 0; ;) {
    const ids = await idsAfter(query, last)
    const range = { from: last + 1, to: ids.length < usersAtOnce ? Number.MAX_SAFE_INTEGER : (ids.at(-1) ?? last) }
    const [first] = await findUnbalanced(query, 1, range)
    if (first) {
      const { id, found, expected } = first
      return fail(booksSubject, sentence('books.differ', { user: id, found, expected }), sentence('books.advice'))
    }
    checked += ids.length
    last = range.to
    if (ids.length < usersAtOnce) return ok(booksSubject, sentence('books.good', { count: checked }))
    if (now() - began > maxMs) return ok(booksSubject, sentence('books.some', { count: checked }))
  }
}

async function idsAfter(query: Queries, last: number): Promise<number[]> {
  const users = query.selectFrom('users').select('id').where('id', '>', last).orderBy('id').limit(usersAtOnce)
  return (await users.execute()).map(({ id }) => id)
}

const eventsSubject = 'events'

/** Checks that events reach the webhooks of the site: the last one to each target within a day. */
export async function checkEvents({ database, tables }: Examined, clock: Pick<Clock, 'seconds'>): Promise<Finding> {
  if (!database || tables !== 'there') return ok(eventsSubject, sentence('events.none'))
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
  if (!first) return ok(eventsSubject, sentence(lastOfEach.length === 0 ? 'events.none' : 'events.good'))
  const targets = failing.map(({ url }) => targetName(url)).join(', ')
  const reason = first.failure || `HTTP ${first.status} ${first.response}`.trim().slice(0, 200)
  return warn(eventsSubject, sentence('events.failing', { targets, reason }), sentence('events.advice'))
}

const jobsSubject = 'jobs'

/** Checks that the last run of each periodic job succeeded. */
export async function checkJobs({ database, tables }: Examined): Promise<Finding> {
  if (!database || tables !== 'there') return ok(jobsSubject, sentence('jobs.none'))
  const runs = await readNotes(database.query, jobNote, systemRoutes.JobRun)
  const failed = runs.filter(({ outcome }) => outcome === 'failed')
  const [first] = failed
  if (!first) return ok(jobsSubject, sentence(runs.length === 0 ? 'jobs.none' : 'jobs.good', { count: runs.length }))
  const names = failed.map(({ name }) => name).join(', ')
  return warn(jobsSubject, sentence('jobs.failed', { names, reason: first.error }), sentence('jobs.failed.advice'))
}

const proxySubject = 'proxy'

/** Checks that no proxy that is not trusted has lately named a client. */
export async function checkProxy(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  { database, tables }: Examined,
  clock: Pick<Clock, 'seconds'>,
): Promise<Finding> {
  const good = ok(proxySubject, sentence('proxy.good'))
  if (!database || tables !== 'there') return good
  const sighting = await readNote(database.query, untrustedProxyNote, UntrustedSighting)
  if (!sighting || clock.seconds() - sighting.at > daySeconds) return good
  // Named in the meantime.
  if (!sighting.isTrusted && isTrustedProxy(sighting.peer, trustedProxies)) return good
  const { peer, header } = sighting
  return warn(proxySubject, sentence('proxy.untrusted', { peer, header }), sentence('proxy.untrusted.advice'))
}

/** A balance that is not what was credited minus what was used. */
export interface Unbalanced {
  readonly id: number
  readonly found: number
  readonly expected: number
}

/** Users from one id to another, both included. */
export interface IdRange {
  readonly from: number
  readonly to: number
}

/** Resolves with the first users whose free + leased + held + used quota is not what they were credited; of all, or of some. */
export async function findUnbalanced(query: Queries, limit: number, range?: IdRange): Promise<Unbalanced[]> {
  const within = (column: RawBuilder<unknown>) =>
    range ? sql`${column} between ${range.from} and ${range.to}` : sql`1 = 1`
  const { rows } = await sql<Unbalanced>`select id, sum(found) as found, sum(expected) as expected from (
      select id, quota + used_quota as found, 0 as expected from users where ${within(sql`id`)}
      union all select ref_id, amount, 0 from leases where kind = 'user' and ${within(sql`ref_id`)}
      union all select user_id, amount, 0 from holds where subscription_id = 0 and ${within(sql`user_id`)}
      union all select user_id, 0, amount from credits where ${within(sql`user_id`)}
    ) as parts group by id having sum(found) <> sum(expected) order by id limit ${sql.lit(limit)}`.execute(query)
  return rows
}
