import { afterEach, expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { aUser } from '../../../../test/factories'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { beginTelegram } from '../../../domain/external-sign-in/telegram-flow'
import { storedInvitation } from '../../../lib/url/invitation'
import { storedUser } from '../../../lib/api/session'
import { CallbackPage } from './callback-page'
import { TelegramPage } from './telegram-page'

afterEach(() => sessionStorage.clear())

const envelope = (data: unknown, envelopeFields: object) =>
  Response.json({ success: true, message: '', data, ...envelopeFields })
const login = (returnTo: string | null = null) =>
  envelope(aUser(), { action: 'login', message: '', return_to: returnTo })

const arrive = (respond: Parameters<typeof serve>[0][string], options: Parameters<typeof renderConsole>[1] = {}) => {
  const calls = serve({ 'GET /api/oauth/github': respond })
  const address = '/oauth/github?code=12e4&state=00123'
  return renderConsole(<CallbackPage />, { path: '/oauth/$provider', address, ...options }).then((view) => ({
    ...view,
    calls,
  }))
}
const at = (router: { readonly state: { readonly location: { readonly pathname: string } } }, path: string) =>
  waitFor(() => expect(router.state.location.pathname).toBe(path))

test.each([
  [null, '/app/tokens'],
  ['/pricing', '/pricing'],
  ['//elsewhere.example', '/app/tokens'],
])('a sign-in with the return address %p leads to %s', async (returnTo, path) => {
  storedInvitation.set('q7Xk')
  const { router, calls } = await arrive(() => login(returnTo))
  await at(router, path)
  expect(calls).toHaveLength(1)
  expect(storedUser.get()?.username).toBe('ada')
  expect(storedInvitation.get()).toBe('')
  expect(await screen.findByText('Signed in')).toBeTruthy()
})

test.each([
  [undefined, '/app/tokens'],
  ['/pricing', '/pricing'],
])('a second factor completes a sign-in at a provider, and %p leads to %s', async (return_to, path) => {
  const requests = { token: 'the-token', expires_at: 1, factors: ['totp'], return_to }
  serve({
    'GET /api/oauth/github': () =>
      Response.json({ success: false, message: 'More', code: 'login.second_factor', second_factor: requests }),
    'POST /api/user/login/factor': () => aUser(),
  })
  const { router, user } = await renderConsole(<CallbackPage />, {
    path: '/oauth/$provider',
    address: '/oauth/github?code=12e4&state=00123',
  })
  await user.type(await screen.findByLabelText('Verification code'), '123456{Enter}')
  await at(router, path)
  expect(storedUser.get()?.username).toBe('ada')
})

test.each([1, 100])(
  'a linked account leads role %p to the settings, which redirect readers without access',
  async (role) => {
    const { router } = await arrive(() => envelope(null, { action: 'bind', message: 'bind', return_to: null }), {
      user: { role },
    })
    await at(router, '/admin/settings')
    expect(await screen.findByText('Account linked')).toBeTruthy()
  },
)

test('a refusal is shown, and an administrator is led to the settings', async () => {
  const { router } = await arrive(() => new Refusal('oauth.taken', 'This account is linked to another user'), {
    user: { role: 100 },
  })
  await at(router, '/admin/settings')
  expect(await screen.findByText('This account is linked to another user')).toBeTruthy()
})

const assertion = { id: '42', first_name: 'Ann', auth_date: '1700000000', hash: 'a'.repeat(64) }
const telegram = (flow: string) => ({
  path: '/oauth/telegram',
  address: `/oauth/telegram?${new URLSearchParams({ flow, ...assertion }).toString()}`,
})

test('a Telegram account is linked to the reader who started it', async () => {
  const calls = serve({ 'POST /api/oauth/telegram/bind': () => undefined })
  const { router } = await renderConsole(<TelegramPage />, telegram(beginTelegram('/pricing')))
  await at(router, '/pricing')
  expect(calls.map(({ body }) => body)).toEqual([assertion])
})

test('a forged link cannot sign in by Telegram', async () => {
  const calls = serve({})
  beginTelegram(undefined)
  const { router } = await renderConsole(<TelegramPage />, telegram('of-another-tab'))
  await at(router, '/admin/settings')
  expect(await screen.findByText(/^This sign-in was not started here/)).toBeTruthy()
  expect(calls).toEqual([])
})
