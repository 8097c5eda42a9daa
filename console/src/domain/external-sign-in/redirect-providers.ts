import type { RedirectProvider, statusRoutes } from '@tollgate/contract'

/** A provider that works by redirects. */
export interface SignInRedirect {
  readonly provider: RedirectProvider
  readonly name: string
}

/** Returns the redirect providers of this site in the order of their buttons. */
export const redirectProviders = (site: statusRoutes.SiteStatus): readonly SignInRedirect[] => [
  ...(site.github_oauth ? [{ provider: 'github', name: 'GitHub' } as const] : []),
  ...(site.oidc_enabled ? [{ provider: 'oidc', name: site.oidc_display_name } as const] : []),
  ...(site.linuxdo_oauth ? [{ provider: 'linuxdo', name: 'LinuxDO' } as const] : []),
]

/** Whether there is any way to sign in without a password. */
export const hasExternalSignIn = (site: statusRoutes.SiteStatus): boolean =>
  redirectProviders(site).length > 0 || site.wechat_login || site.telegram_oauth
