import { storedPhrase } from '@tollgate/contract'
import { sql } from 'kysely'

import type { Context } from '../../context'
import type { Database } from '../../platform/store/database'
import { MailFailure } from './mail-failure'
import { isMailKind, mailKinds, type MailKindName, type MailParams } from './mail-kinds'
import { isMailSetUp, openMailer, type Mailer } from './smtp'

type Deps = Pick<Context, 'database' | 'clock' | 'random' | 'seal' | 'catalog' | 'log' | 'metrics'>

/** As many as there are connections, so that no claim expires while a mail waits for another. */
const mailsAtOnce = 4
/** A sender that has not reported the outcome of a mail by now is gone; longer than a mail can take. */
const claimSeconds = 180
const firstPauseSeconds = 15
const maxPauseSeconds = 15 * 60
/** There may be very many, and they are less urgent than a code. */
const lastKind: MailKindName = 'message'

/** Sends what is due, until nothing is. Several senders never send the same mail: each is claimed first. */
export async function sendMails(parts: Deps, signal: AbortSignal): Promise<void> {
  await giveUpLate(parts)
  const { options } = parts.catalog.current
  if (!isMailSetUp(options)) return
  let mails = await dueMails(parts)
  if (mails.length === 0) return
  using mailer = await openMailer(options)
  while (mails.length > 0 && !signal.aborted) {
    await Promise.all(mails.map((mail) => sendOne(parts, mailer, mail)))
    mails = await dueMails(parts)
  }
}

/** Gives up mails that have become useless. */
async function giveUpLate(parts: Deps): Promise<void> {
  const { numUpdatedRows } = await parts.database.query
    .updateTable('mails')
    .set({ due_at: null, params: '{}' })
    .where('due_at', 'is not', null)
    .where('expires_at', '<=', parts.clock.seconds())
    .executeTakeFirst()
  for (let count = Number(numUpdatedRows); count > 0; count -= 1) parts.metrics.countMail('given-up')
}

const dueMails = (parts: Deps) =>
  parts.database.query
    .selectFrom('mails')
    .selectAll()
    .where('due_at', 'is not', null)
    .where('due_at', '<=', parts.clock.seconds())
    .orderBy(sql`case when kind = ${lastKind} then 1 else 0 end`)
    .orderBy('due_at')
    .limit(mailsAtOnce)
    .execute()

type Mail = Awaited<ReturnType<typeof dueMails>>[number]

async function sendOne(parts: Deps, mailer: Mailer, mail: Mail): Promise<void> {
  if (!(await isClaimed(parts, mail))) return
  try {
    const message = await messageOf(parts, mail)
    if (message) await mailer.send(message)
    await settle(parts.database, mail, {
      due_at: null,
      params: '{}',
      ...(message && { sent_at: parts.clock.seconds() }),
    })
    if (message) parts.metrics.countMail('sent')
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    await putOff(parts, mail, error)
  }
}

/** Claims a mail by compare-and-set, and counts the attempt before it is made. */
async function isClaimed(parts: Deps, mail: Mail): Promise<boolean> {
  const { numUpdatedRows } = await parts.database.query
    .updateTable('mails')
    .set((eb) => ({ due_at: parts.clock.seconds() + claimSeconds, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', mail.id)
    .where('due_at', '=', mail.due_at)
    .where('attempts', '=', mail.attempts)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Returns the message of a mail; loads the texts with the first one that is sent. Null: nothing is to be sent, or this release does not
 * know the kind.
 */
async function messageOf(parts: Deps, { id, kind, recipient: to, language: requestedLanguage, params }: Mail) {
  if (!isMailKind(kind)) return null
  const [{ prepareMail }, { compose }] = await Promise.all([import('./prepare-mail'), import('./compose')])
  const content = await prepareMail(parts, kind, { to, params: paramsOf(kind, params) })
  const language = requestedLanguage === 'en' ? 'en' : 'zh'
  return content && compose(content, { id, to, language, site: parts.catalog.current.options })
}

const paramsOf = <Kind extends MailKindName>(kind: Kind, params: string): MailParams<Kind> =>
  mailKinds[kind].params.parse(JSON.parse(params)) as MailParams<Kind>

async function putOff(parts: Deps, mail: Mail, { reason, isFinal }: MailFailure): Promise<void> {
  const failure = storedPhrase(reason.code, reason.params)
  const attempts = mail.attempts + 1
  const next = parts.clock.seconds() + Math.min(firstPauseSeconds * 2 ** (attempts - 1), maxPauseSeconds)
  const isOver = isFinal || next >= mail.expires_at
  parts.log.warn(
    { mail: mail.id, kind: mail.kind, attempts, reason, isOver },
    isOver ? 'a mail could not be sent and was given up' : 'a mail could not be sent and is tried again',
  )
  await settle(parts.database, mail, { failure, ...(isOver ? { due_at: null, params: '{}' } : { due_at: next }) })
  parts.metrics.countMail(isOver ? 'given-up' : 'later')
}

interface Settled {
  readonly due_at: number | null
  readonly params?: string
  readonly sent_at?: number
  readonly failure?: string
}

const settle = ({ query }: Database, { id }: Mail, settled: Settled) =>
  query.updateTable('mails').set(settled).where('id', '=', id).execute()
