import type { OptionKey } from '@tollgate/contract'

import type { IdentityProvider } from './identities'

/** The option that switches each external sign-in on. */
export const providerSwitches = {
  github: 'GitHubOAuthEnabled',
  oidc: 'oidc.enabled',
  linuxdo: 'LinuxDOOAuthEnabled',
  wechat: 'WeChatAuthEnabled',
  telegram: 'TelegramOAuthEnabled',
} as const satisfies Readonly<Record<IdentityProvider, OptionKey>>
