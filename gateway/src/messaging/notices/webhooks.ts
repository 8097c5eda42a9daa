import { daySeconds, type OptionValues } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Transaction } from '../../platform/store/database'
import { shownQuota } from '../../billing/ledger/quota-text'
import { limitValuesIn, type NearLimit } from './limit-values'
import type { SealContext } from '../../platform/store/seal'
import { randomHex } from '../../platform/random'

const idBytes = 16
/** How long delivery is attempted; after that it is useless. */
export const deliverySeconds = daySeconds

type Deps = Pick<Context, 'clock' | 'random' | 'changes'>

/** What a receiver gets, besides the time. */
interface QueuedNotice {
  readonly type: string
}

/**
 * Queues a notice for a webhook, in the transaction of what it reports. One worker delivers it within a second of the commit, and retries
 * later where the receiver does not accept it. Call `changes.deliver` after the commit. Resolves with its id.
 */
export async function queueWebhook(
  { clock, random, changes }: Deps,
  { userId, url, notice }: { readonly userId: number; readonly url: string; readonly notice: QueuedNotice },
  transaction: Transaction,
): Promise<string> {
  const now = clock.seconds()
  const id = randomHex(random, idBytes)
  await transaction
    .insertInto('webhook_deliveries')
    .values({
      id,
      user_id: userId,
      type: notice.type,
      url,
      body: JSON.stringify({ ...notice, timestamp: now }),
      created_at: now,
      expires_at: now + deliverySeconds,
      due_at: now,
      delivered_at: null,
      attempted_at: null,
      status: null,
      duration_ms: null,
    })
    .execute()
  await changes.announce({ topic: 'webhook', refId: 0 }, transaction)
  return id
}

type WebhookType = 'quota_exceed' | 'limit_near' | 'test'

/** What a receiver gets. */
export interface WebhookNotice {
  readonly type: WebhookType
  readonly title: string
  /** A sentence with everything filled in. */
  readonly content: string
  /** Always empty: receivers of this format expect it. */
  readonly values: readonly []
}

type Language = 'zh' | 'en'

export function lowBalanceNotice(
  { balance, threshold }: { readonly balance: number; readonly threshold: number },
  options: OptionValues,
  language: Language,
): WebhookNotice {
  const [left, limit] = [shownQuota(balance, options), shownQuota(threshold, options)]
  const words = {
    en: { title: 'Your balance is low', content: `Your balance is ${left}, which is less than ${limit}.` },
    zh: { title: '您的额度即将用尽', content: `您的余额为 ${left}，已低于预警额度 ${limit}。` },
  }
  return { type: 'quota_exceed', ...words[language], values: [] }
}

export function nearLimitNotice(near: NearLimit, options: OptionValues, language: Language): WebhookNotice {
  const { name, percent, used, limit, reset } = limitValuesIn(near, options, language)
  const words = {
    en: { title: `${percent}% of your limit ${name} is used`, content: `Used: ${used} of ${limit}. ${reset}` },
    zh: { title: `限额“${name}”已使用 ${percent}%`, content: `已使用 ${used}，限额 ${limit}。${reset}。` },
  }
  return { type: 'limit_near', ...words[language], values: [] }
}

export function testNotice(language: Language): WebhookNotice {
  const words = {
    en: { title: 'Test', content: 'This is what a notification looks like.' },
    zh: { title: '测试', content: '这就是通知的样子。' },
  }
  return { type: 'test', ...words[language], values: [] }
}

const sealContextOf = (userId: number): SealContext => `users.webhook_secret_sealed#${userId}`

export const sealedWebhookSecret = ({ seal }: Pick<Context, 'seal'>, userId: number, secret: string): string =>
  seal.seal(secret, sealContextOf(userId))

/** Returns the secret that signs the user's webhooks; null: none. */
export const webhookSecret = ({ seal }: Pick<Context, 'seal'>, userId: number, sealed: string): string | null =>
  sealed === '' ? null : seal.open(sealed, sealContextOf(userId))
