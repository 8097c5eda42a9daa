import { deviceName, userStatus } from '@tollgate/contract'

import { chosenLanguage } from '../../accounts/users/user-settings'
import { createFlow } from '../../accounts/flows/create-flow'
import { flowKinds } from '../../accounts/flows/flow-kinds'
import { mailOwner } from '../../accounts/users/mail-address'
import { providerName } from '../../accounts/identities/sign-in-providers'
import { shownQuota } from '../../billing/ledger/quota-text'
import type { Context } from '../../context'
import { limitValuesIn } from '../notices/limit-values'
import type { MailContent, MailBody } from './compose'
import { eventContent } from './event-content'
import type { MailKindName, MailParams } from './mail-kinds'
import { safeHtml } from './safe-html'

type Deps = Pick<Context, 'database' | 'clock' | 'random' | 'seal' | 'catalog'>

interface Waiting<Kind extends MailKindName> {
  readonly to: string
  readonly params: MailParams<Kind>
}

type Preparations = {
  /** Null: there is nothing to send. */
  readonly [Kind in MailKindName]: (parts: Deps, mail: Waiting<Kind>) => Promise<MailContent | null>
}

/**
 * What each kind of mail says, determined when it is sent. Whether an address belongs to an account is checked here and not in the call
 * that requested the mail, which therefore takes the same time and has the same response for every address.
 */
const preparations: Preparations = {
  async 'register-code'(parts, { to, params }) {
    const owner = await mailOwner(parts.database.query, to)
    if (owner) return addressTaken(parts, owner)
    const code = await createFlow(parts, 'register-mail', { subject: to, browser: params.browser, payload: {} })
    return { words: 'register-code', values: { minutes: minutesOf('register-mail') }, code }
  },
  async 'bind-code'(parts, { to, params }) {
    const owner = await mailOwner(parts.database.query, to)
    if (owner && owner.id !== params.userId) return addressTaken(parts, owner)
    const subject = bindSubject(params.userId, to)
    const code = await createFlow(parts, 'bind-mail', { subject, browser: params.browser, payload: {} })
    const language = await languageOf(parts, params.userId)
    return { words: 'bind-code', language, values: { minutes: minutesOf('bind-mail') }, code }
  },
  async 'reset-password'(parts, { to }) {
    const owner = await mailOwner(parts.database.query, to)
    if (!owner || owner.status !== userStatus.enabled || owner.deleted_at !== null) return null
    const token = await createFlow(parts, 'reset-password', { subject: to, payload: { userId: owner.id } })
    return {
      words: 'reset-password',
      language: chosenLanguage(owner.setting),
      values: { minutes: minutesOf('reset-password') },
      username: owner.username,
      link: `${addressOf(parts)}/user/reset?${new URLSearchParams({ email: to, token }).toString()}`,
    }
  },
  'password-changed': (parts, { params }) => notice('password-changed', params, `${addressOf(parts)}/login`),
  'mail-changed': (_parts, { params }) => notice('mail-changed', params),
  'new-device': (parts, { params }) => notice('new-device', params, `${addressOf(parts)}/app/me?tab=security`),
  'factor-added': (parts, { params }) => notice('factor-added', params, `${addressOf(parts)}/app/me?tab=security`),
  'factor-removed': (parts, { params }) => notice('factor-removed', params, `${addressOf(parts)}/app/me?tab=security`),
  'recovery-codes-renewed': (parts, { params }) =>
    notice('recovery-codes-renewed', params, `${addressOf(parts)}/app/me?tab=security`),
  'identity-linked': (parts, { params }) => noticeOfIdentity('identity-linked', params, parts),
  'identity-unlinked': (parts, { params }) => noticeOfIdentity('identity-unlinked', params, parts),
  'low-balance': (parts, { params: { username, balance, threshold } }) => {
    const { options } = parts.catalog.current
    const values = { balance: shownQuota(balance, options), threshold: shownQuota(threshold, options) }
    return Promise.resolve({ words: 'low-balance', values, username, link: `${addressOf(parts)}/app/me` })
  },
  'limit-near': (parts, { params }) => {
    const { options } = parts.catalog.current
    const [zh, en] = [limitValuesIn(params, options, 'zh'), limitValuesIn(params, options, 'en')]
    const { name, percent } = en
    const both = (key: 'used' | 'limit' | 'reset') => ({ zh: zh[key], en: en[key] })
    const values = { name, percent, used: both('used'), limit: both('limit'), reset: both('reset') }
    return Promise.resolve({
      words: 'limit-near',
      values,
      username: params.username,
      link: `${addressOf(parts)}/app/me`,
    })
  },
  'plan-ended': (parts, { params }) => noticeOfPlan('plan-ended', params, parts),
  'plan-not-renewed': (parts, { params }) => noticeOfPlan('plan-not-renewed', params, parts),
  'address-changed': (parts, { params }) => notice('address-changed', params, `${addressOf(parts)}/app/me?tab=sign-in`),
  'payment-received': (parts, { params }) => noticeOfPayment('payment-received', params, parts),
  'payment-refunded': (parts, { params }) => noticeOfPayment('payment-refunded', params, parts),
  'payment-disputed': (parts, { params }) => noticeOfPayment('payment-disputed', params, parts),
  'payment-restored': (parts, { params }) => noticeOfPayment('payment-restored', params, parts),
  message: copyOfMessage,
  'notice-test': (parts, { params: { username } }) =>
    Promise.resolve({ words: 'notice-test', username, link: `${addressOf(parts)}/app/me?tab=notification` }),
  'operator-event': (parts, { params }) => Promise.resolve(eventContent(params, addressOf(parts))),
  'password-changed-by-admin': (parts, { params }) =>
    notice('password-changed-by-admin', params, `${addressOf(parts)}/login`),
  'factors-removed-by-admin': (parts, { params }) =>
    notice('factors-removed-by-admin', params, `${addressOf(parts)}/app/me?tab=security`),
}

/** Resolves with the content of a queued mail; null when there is nothing to send. */
export const prepareMail = <Kind extends MailKindName>(
  parts: Deps,
  kind: Kind,
  mail: Waiting<Kind>,
): Promise<MailContent | null> => preparations[kind](parts, mail)

/** Returns the subject that ties the code for a mail address to this user. */
export const bindSubject = (userId: number, address: string): string => `${userId} ${address}`

/** Never the host of a request: its sender chooses that. */
const addressOf = ({ catalog }: Deps): string => catalog.current.options.ServerAddress

const minutesOf = (purpose: keyof typeof flowKinds): number => flowKinds[purpose].seconds / 60

/** The owner of the address learns what the requester does not. */
const addressTaken = (parts: Deps, { setting }: { readonly setting: string }): MailContent => ({
  words: 'address-taken',
  language: chosenLanguage(setting),
  link: `${addressOf(parts)}/login`,
})

async function languageOf({ database }: Deps, userId: number) {
  const owner = await database.query.selectFrom('users').select('setting').where('id', '=', userId).executeTakeFirst()
  return owner && chosenLanguage(owner.setting)
}

type Notice =
  | 'password-changed'
  | 'mail-changed'
  | 'address-changed'
  | 'new-device'
  | 'factor-added'
  | 'factor-removed'
  | 'recovery-codes-renewed'
  | 'password-changed-by-admin'
  | 'factors-removed-by-admin'

const notice = (words: Notice, params: MailParams<Notice>, link?: string): Promise<MailContent> =>
  Promise.resolve({
    words,
    values: placeValues(params),
    username: params.username,
    ...(link !== undefined && { link }),
  })

type IdentityNotice = 'identity-linked' | 'identity-unlinked'

const noticeOfIdentity = (
  words: IdentityNotice,
  params: MailParams<IdentityNotice>,
  parts: Deps,
): Promise<MailContent> =>
  Promise.resolve({
    words,
    values: { ...placeValues(params), provider: providerName(params.provider, parts.catalog.current.options) },
    username: params.username,
    link: `${addressOf(parts)}/app/me?tab=sign-in`,
  })

const unknownDevice = { zh: '未知设备', en: 'unknown device' } as const

/** Describes where and when. */
const placeValues = (place: { readonly at: number; readonly ip?: string; readonly userAgent?: string }) => ({
  time: timeOf(place.at),
  ip: place.ip ?? '',
  device: deviceName(place.userAgent ?? '') || unknownDevice,
})

const noticeOfPayment = (
  words: 'payment-received' | 'payment-refunded' | 'payment-disputed' | 'payment-restored',
  { order, amount, quota }: MailParams<'payment-received'>,
  parts: Deps,
): Promise<MailContent> => {
  const values = { order, amount, quota: shownQuota(quota, parts.catalog.current.options) }
  return Promise.resolve({ words, values, link: `${addressOf(parts)}/app/wallet` })
}

const noticeOfPlan = (
  words: 'plan-ended' | 'plan-not-renewed',
  { username, plan, at }: MailParams<'plan-ended'>,
  parts: Deps,
): Promise<MailContent> =>
  Promise.resolve({ words, values: { plan, time: timeOf(at) }, username, link: `${addressOf(parts)}/app/plans` })

/** As the message is now; a deleted one is not sent any more. */
async function copyOfMessage(
  parts: Deps,
  { params: { messageId, username } }: Waiting<'message'>,
): Promise<MailContent | null> {
  const message = await parts.database.query
    .selectFrom('messages')
    .select(['title', 'content', 'format'])
    .where('id', '=', messageId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!message) return null
  const body = mailBody(message.content, message.format === 'html' ? 'html' : 'markdown')
  return {
    words: 'message',
    values: { title: message.title },
    username,
    body,
    link: `${addressOf(parts)}/app/inbox/${messageId}`,
  }
}

const timeOf = (at: number): string => `${new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Returns a mail body written by a person. Markdown is readable as it is. */
export function mailBody(content: string, format: 'markdown' | 'html'): MailBody {
  if (format === 'html') return safeHtml(content)
  const { html } = safeHtml(Bun.markdown.html(content))
  return { html, text: content.trim() }
}
