import type { PhraseParams } from '@tollgate/contract'

import type { IdentityProvider } from './identities'

/** Display names. Chinese sentences put spaces around Latin names. */
export const providerNames = {
  github: { en: 'GitHub', zh: ' GitHub ' },
  oidc: { en: 'OIDC', zh: ' OIDC ' },
  linuxdo: { en: 'Linux DO', zh: ' Linux DO ' },
  wechat: { en: 'WeChat', zh: '微信' },
  telegram: { en: 'Telegram', zh: ' Telegram ' },
} as const satisfies Readonly<Record<IdentityProvider, PhraseParams[string]>>
