import { isOwnPath } from '@tollgate/contract'

/** An address within this site, or nothing: a link must not send people elsewhere. */
export function safeReturn(returnTo: string | undefined): string | undefined {
  if (returnTo === undefined || !isOwnPath(returnTo)) return undefined
  return returnTo.startsWith('/login') ? undefined : returnTo
}
