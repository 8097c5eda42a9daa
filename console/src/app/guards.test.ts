import { expect, test } from 'bun:test'
import type { ParsedLocation } from '@tanstack/react-router'

import { aUser } from '../../test/factories'
import { storedUser } from '../lib/api/session'
import { requireLogin } from './guards'

/** Returns where the guard leads from an address, or undefined where it lets the reader in. */
function ledFrom(href: string): unknown {
  try {
    requireLogin({ location: { href, searchStr: new URL(href, location.origin).search } as ParsedLocation })
  } catch (redirection) {
    return (redirection as { readonly options: object }).options
  }
  return undefined
}

test('a guest is led to the sign-in and back, an account is let in', () => {
  storedUser.clear()
  expect(ledFrom('/app/tokens?keyword=shop')).toMatchObject({
    to: '/login',
    search: { returnTo: '/app/tokens?keyword=shop', expired: undefined },
  })
  expect(ledFrom('/app/tokens?expired=true')).toMatchObject({ search: { expired: true } })
  storedUser.set(aUser())
  expect(ledFrom('/app/tokens?keyword=shop')).toBeUndefined()
})
