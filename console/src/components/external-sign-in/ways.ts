import type { RedirectProvider, statusRoutes } from '@tollgate/contract'

/** A provider that the browser is sent to and comes back from. */
export interface RedirectWay {
  readonly provider: RedirectProvider
  readonly name: string
}

/** The providers that this site sends a browser to, in the order of their buttons. */
export const redirectWays = (site: statusRoutes.SiteStatus): readonly RedirectWay[] => [
  ...(site.github_oauth ? [{ provider: 'github', name: 'GitHub' } as const] : []),
  ...(site.oidc_enabled ? [{ provider: 'oidc', name: 'OIDC' } as const] : []),
  ...(site.linuxdo_oauth ? [{ provider: 'linuxdo', name: 'LinuxDO' } as const] : []),
]

/** Whether there is any way to sign in but by a password. */
export const hasExternalSignIn = (site: statusRoutes.SiteStatus): boolean =>
  redirectWays(site).length > 0 || site.wechat_login || site.telegram_oauth
