import type { ErrorCode, PhraseParams } from '@tollgate/contract'

import type { IdentityProvider } from '../../accounts/identities'
import { AppError, type AppErrorDetails } from '../../app-error'

/** Display names. Chinese sentences put spaces around Latin names. */
const names = {
  github: { en: 'GitHub', zh: ' GitHub ' },
  oidc: { en: 'OIDC', zh: ' OIDC ' },
  linuxdo: { en: 'Linux DO', zh: ' Linux DO ' },
  wechat: { en: 'WeChat', zh: '微信' },
  telegram: { en: 'Telegram', zh: ' Telegram ' },
} as const satisfies Readonly<Record<IdentityProvider, PhraseParams[string]>>

/** Returns an error whose message names the provider. */
export const providerError = (code: ErrorCode, provider: IdentityProvider, details: AppErrorDetails = {}): AppError =>
  new AppError(code, { ...details, params: { provider: names[provider] } })
