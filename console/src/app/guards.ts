import { redirect, type ParsedLocation } from '@tanstack/react-router'

import { storedUser } from '../lib/session'

/** For `beforeLoad` of a page that needs an account: others sign in first and come back. */
export function requireLogin({ location }: { readonly location: ParsedLocation }): void {
  if (!storedUser.get()) throw redirect({ to: '/login', search: { returnTo: location.href } })
}
