/** Identity providers that a browser is sent to and comes back from. */
export const redirectProviders = ['github', 'oidc', 'linuxdo'] as const
export type RedirectProvider = (typeof redirectProviders)[number]
