import { redirect, type ParsedLocation } from '@tanstack/react-router'

import { storedUser } from '../lib/api/session'

/** For `beforeLoad` of a page that requires an account: redirects guests to the sign-in and back. */
export function requireLogin({ location }: { readonly location: ParsedLocation }): void {
  if (storedUser.get()) return
  // An address of a page may say that its session ended, as older front ends do.
  const expired = new URLSearchParams(location.searchStr).has('expired') || undefined
  throw redirect({ to: '/login', search: { returnTo: location.href, expired } })
}
