import { isOwnPath } from '@tollgate/contract'

/** Returns an address within this site, or undefined: a link must not redirect elsewhere. */
export function safeReturn(returnTo: string | undefined): string | undefined {
  if (returnTo === undefined || !isOwnPath(returnTo)) return undefined
  return returnTo.startsWith('/login') ? undefined : returnTo
}
