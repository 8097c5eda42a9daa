import type { OperatorEventKind } from '@tollgate/contract'

import type { EventFacts } from '../../platform/telemetry/events/report-event'
import en from '../../platform/locales/mails.en.json'
import zh from '../../platform/locales/mails.zh.json'
import { shownText } from '../../platform/locales/sentence'
import type { MailContent } from './compose'
import type { MailParams } from './mail-kinds'

/** Where in the console an operator acts on an event. */
const pages: Readonly<Record<OperatorEventKind | 'test', string>> = {
  'channel-disabled': '/admin/channels',
  'key-disabled': '/admin/channels',
  'channel-enabled': '/admin/channels',
  'key-enabled': '/admin/channels',
  'vendor-balance-low': '/admin/channels',
  'job-failed': '/admin/system',
  'backup-failed': '/admin/settings?page=backups',
  'disk-low': '/admin/system',
  'node-not-ready': '/admin/system',
  'charges-set-aside': '/admin/system',
  'payment-disputed': '/admin/orders',
  'refund-uncertain': '/admin/orders',
  'low-margin': '/admin/earnings',
  'unusual-spending': '/admin/users',
  'limit-near': '/admin/users',
  test: '/admin/settings?page=events',
}

/** Returns what mails, messages and webhooks say of an event. */
export function eventContent(params: MailParams<'operator-event'>, address: string): MailContent {
  const { event, facts, at } = params
  return {
    words: `event-${event}`,
    values: { ...bothLanguages(facts), time: timeText(at), more: moreText(params) },
    link: address + pages[event],
  }
}

type Both = Readonly<Record<'zh' | 'en', string>>

const bothLanguages = (facts: EventFacts): Readonly<Record<string, Both>> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, text]) => [name, { zh: shownText(text, 'zh'), en: shownText(text, 'en') }]),
  )

const timeText = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Says how often it happened, and what else it happened to. */
function moreText({ count, since, others }: MailParams<'operator-event'>): Both {
  const values: Readonly<Record<string, string>> = {
    count: String(count),
    since: timeText(since),
    names: others.names.join(', '),
    others: String(others.count),
  }
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  const sentences = (words: typeof en) => [
    ...(count > 1 ? [fill(words['event-repeated'])] : []),
    ...(others.count > 0 ? [fill(words['event-others'])] : []),
  ]
  return { zh: sentences(zh).join(''), en: sentences(en).join(' ') }
}
