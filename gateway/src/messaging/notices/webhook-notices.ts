import type { OptionValues } from '@tollgate/contract'

import { shownQuota } from '../../accounts/shown-quota'

type WebhookType = 'quota_exceed' | 'test'

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

export function testNotice(language: Language): WebhookNotice {
  const words = {
    en: { title: 'Test', content: 'This is what a notification looks like.' },
    zh: { title: '测试', content: '这就是通知的样子。' },
  }
  return { type: 'test', ...words[language], values: [] }
}
