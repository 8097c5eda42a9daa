import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { aUser } from '../../../../test/factories'
import { aBrowserWithPasskeys, passkeyResponse } from '../../../../test/passkeys'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { canSignInByPasskey } from '../../../lib/browser/passkey'
import { storedUser } from '../../../lib/api/session'
import { PasskeyButton } from './login-page'

test('a passkey signs in without a user name', async () => {
  const takeAway = aBrowserWithPasskeys('the-challenge')
  const calls = serve({
    'POST /api/user/login/passkey/begin': () => ({ challenge: 'the-challenge' }),
    'POST /api/user/login/passkey': () => aUser(),
  })
  const { user } = await renderConsole(<PasskeyButton />, { user: { id: 9 } })
  await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
  await waitFor(() => expect(storedUser.get()?.id).toBe(aUser().id))
  expect(calls.at(-1)?.body).toMatchObject({ answer: passkeyResponse })
  takeAway()
})

test('a passkey that the server refuses does not sign in', async () => {
  const takeAway = aBrowserWithPasskeys('the-challenge')
  serve({
    'POST /api/user/login/passkey/begin': () => ({ challenge: 'the-challenge' }),
    'POST /api/user/login/passkey': () => new Refusal('passkey.failed', 'The passkey was not accepted.'),
  })
  const { user } = await renderConsole(<PasskeyButton />, { user: { id: 9 } })
  await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
  expect(await screen.findByText('The passkey was not accepted.')).toBeTruthy()
  expect(storedUser.get()?.id).toBe(9)
  takeAway()
})

test('passkeys are offered only by browsers that support them', () => {
  expect(canSignInByPasskey()).toBe(false)
  const takeAway = aBrowserWithPasskeys('')
  expect(canSignInByPasskey()).toBe(true)
  takeAway()
})
