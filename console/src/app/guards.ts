import { redirect, type ParsedLocation } from '@tanstack/react-router'

import { storedUser } from '../lib/session'

/** For `beforeLoad` of a page that needs an account: others sign in first and come back. */
export function requireLogin({ location }: { readonly location: ParsedLocation }): void {
  if (!storedUser.get()) throw redirect({ to: '/login', search: { returnTo: location.href } })
}

/** An address within this site, or nothing: a link must not send people elsewhere. */
export function safeReturn(returnTo: string | undefined): string | undefined {
  if (!returnTo?.startsWith('/') || /^\/[/\\]/.test(returnTo)) return undefined
  return returnTo.startsWith('/login') ? undefined : returnTo
}
