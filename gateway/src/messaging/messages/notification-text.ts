import type { Context } from '../../context'
import { formatSentences } from '../mail/compose'
import { mailKinds, type MailParams } from '../mail/mail-kinds'
import { prepareMail } from '../mail/prepare-mail'
import { parsedJson } from '../../platform/text/parsed-json'
import type { MessageRow } from '../../platform/store/tables'
import { notificationKinds, type NotificationKind } from './add-notification'

type Deps = Pick<Context, 'database' | 'clock' | 'random' | 'seal' | 'catalog'>

/** Resolves with title and Markdown of a notification; a later release may have kinds that this one does not know. */
export async function notificationText(
  parts: Deps,
  { kind, params }: Pick<MessageRow, 'kind' | 'params'>,
  language: 'zh' | 'en',
): Promise<{ readonly title: string; readonly content: string }> {
  if (!isTellingKind(kind)) return { title: kind, content: '' }
  const { SystemName: site, ServerAddress: address } = parts.catalog.current.options
  const mail = await prepareMail(parts, kind, { to: '', params: paramsOf(kind, params) })
  if (!mail) return { title: kind, content: '' }
  const title = formatSentences(mail, language, site).subject
  const { lead, note, action } = formatSentences(mail, language, site, literalMarkdown)
  const link = linkOf(mail.link ?? '', address)
  return { title, content: [lead, note, link && action && `[${action}](${link})`].filter(Boolean).join('\n\n') }
}

const isTellingKind = (kind: string): kind is NotificationKind => notificationKinds.some((known) => known === kind)

const paramsOf = <Kind extends NotificationKind>(kind: Kind, params: string): MailParams<Kind> =>
  mailKinds[kind].params.parse(parsedJson(params)) as MailParams<Kind>

/** Within the console; its reader has signed in. */
function linkOf(link: string, address: string): string {
  const path = link.startsWith(address) ? link.slice(address.length) : link
  return path === '/login' ? '' : path
}

/** Escapes the characters with a meaning within a line of Markdown. */
const literalMarkdown = (text: string): string => text.replace(/[\\`*_[\]<>~|&!#]/g, '\\$&')
