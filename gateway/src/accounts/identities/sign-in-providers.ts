import type { OptionKey, OptionValues } from '@tollgate/contract'

import type { IdentityProvider } from './identities'

interface Name {
  readonly en: string
  readonly zh: string
}

/** Display names. Chinese sentences put spaces around Latin names. */
const providerNames = {
  github: { en: 'GitHub', zh: ' GitHub ' },
  linuxdo: { en: 'Linux DO', zh: ' Linux DO ' },
  wechat: { en: 'WeChat', zh: '微信' },
  telegram: { en: 'Telegram', zh: ' Telegram ' },
} as const satisfies Readonly<Record<Exclude<IdentityProvider, 'oidc'>, Name>>

/** Returns the display name of a provider; the OIDC provider has the name that the operator gave it. */
export function providerName(provider: IdentityProvider, options: OptionValues): Name {
  if (provider !== 'oidc') return providerNames[provider]
  const name = oidcName(options)
  return { en: name, zh: name.replace(/^(?=[\x21-\x7e])|(?<=[\x21-\x7e])$/g, ' ') }
}

/** Returns the operator's name for the OIDC provider. */
export const oidcName = (options: OptionValues): string => options['oidc.display_name'].trim() || 'OIDC'

/** The option that switches each external sign-in on. */
export const providerSwitches = {
  github: 'GitHubOAuthEnabled',
  oidc: 'oidc.enabled',
  linuxdo: 'LinuxDOOAuthEnabled',
  wechat: 'WeChatAuthEnabled',
  telegram: 'TelegramOAuthEnabled',
} as const satisfies Readonly<Record<IdentityProvider, OptionKey>>
