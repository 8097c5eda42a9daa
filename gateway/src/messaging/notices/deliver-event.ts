import { operatorEventOf, type OperatorEventKind } from '@tollgate/contract'

import type { Context } from '../../context'
import { formatSentences } from '../mail/compose'
import { eventContent } from '../mail/event-content'
import type { MailParams } from '../mail/mail-kinds'
import { queueMails } from '../mail/queue-mail'
import { addNotification } from '../messages/add-notification'
import type { Transaction } from '../../platform/store/database'
import { siteId, storedAddress, targetsOf } from './event-targets'
import { operatorsWith, type Operator } from './operators'
import { queueWebhook } from './webhooks'

type Deps = Pick<Context, 'catalog' | 'changes' | 'clock' | 'random'>

/** An event as it is worded in mails, messages and webhooks. */
export type EventNotice = MailParams<'operator-event'>

/** Puts an event into the inboxes and queues its mails and webhooks, as the options say. Call `changes.deliver` after the commit. */
export async function deliverEvent(
  parts: Deps,
  notice: EventNotice & { readonly event: OperatorEventKind },
  transaction: Transaction,
): Promise<void> {
  const { options } = parts.catalog.current
  const { option, grant } = operatorEventOf(notice.event)
  const media = options[option]
  const operators = await operatorsWith(transaction, grant)
  if (media.includes('inbox'))
    for (const { id } of operators)
      await addNotification(parts, id, { kind: 'operator-event', params: notice }, transaction)
  const recipients = media.includes('mail') ? mailRecipients(parts, operators) : []
  if (recipients.length > 0) {
    const mails = recipients.map((recipient) => ({ kind: 'operator-event', ...recipient, params: notice }) as const)
    await queueMails(parts, mails, transaction)
  }
  if (!media.includes('webhook')) return
  for (const target of targetsOf(options)) {
    const webhook = { userId: siteId, url: storedAddress(target), notice: webhookNotice(parts, notice) }
    await queueWebhook(parts, webhook, transaction)
  }
}

/** Returns the addresses of the site where it has some, otherwise those of the operators. */
export function mailRecipients({ catalog }: Pick<Context, 'catalog'>, operators: readonly Operator[]) {
  const { EventMailAddresses: addresses, EventLanguage: language } = catalog.current.options
  if (addresses.length > 0) return addresses.map((to) => ({ to, language }))
  return operators.flatMap(({ email: to, language: own }) => (to === '' ? [] : [{ to, language: own }]))
}

/** Returns what waits for its delivery: a text for people, and the facts for programs. */
export function webhookNotice({ catalog }: Pick<Context, 'catalog'>, notice: EventNotice) {
  const { options } = catalog.current
  const content = eventContent(notice, options.ServerAddress)
  const { subject, lead, note } = formatSentences(content, options.EventLanguage, options.SystemName)
  const { event, facts, count, since, others } = notice
  return {
    type: event,
    title: subject,
    content: [lead, note].filter(Boolean).join('\n'),
    link: content.link ?? '',
    values: [],
    facts,
    count,
    since,
    others,
  }
}
