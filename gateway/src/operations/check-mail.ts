import { parsePhrase, daySeconds, type PhraseParam } from '@tollgate/contract'

import type { Database } from '../platform/store/database'
import type { Clock } from '../platform/time/clock'
import type { Examined } from './check-database'
import { ok, sentence, warn, type Finding } from './finding'

const subject = 'mail'
/** Longer than the first attempts take. */
const noticeableSeconds = 300

/** Checks that mails are sent: none waits for long, and none was given up lately. */
export async function checkMail({ database, tables }: Examined, clock: Pick<Clock, 'seconds'>): Promise<Finding> {
  if (!database || tables !== 'there') return ok(subject, sentence('mail.unset'))
  const server = await storedOption(database, 'SMTPServer')
  if (!server) return ok(subject, sentence('mail.unset'))
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
    return ok(subject, sentence('mail.good', { server }))
  const givenUp = failed.filter(({ due_at: dueAt }) => dueAt === null).length
  const counts = { count: waiting.count, lost: givenUp }
  const text = last
    ? sentence('mail.failing', { ...counts, reason: reasonOf(last.failure) })
    : sentence('mail.waiting', counts)
  return warn(subject, text, sentence('mail.advice'))
}

async function storedOption({ query }: Database, key: string): Promise<string> {
  const row = await query.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value.trim() ?? ''
}

const reasonOf = (failure: string): PhraseParam => parsePhrase(failure) ?? failure
