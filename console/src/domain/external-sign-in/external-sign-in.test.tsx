import { expect, test } from 'bun:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'

import { aUser } from '../../../test/factories'
import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { storedInvitation } from '../../lib/url/invitation'
import { storedUser } from '../../lib/api/session'
import { ExternalSignIn } from './external-sign-in'

const every = {
  github_oauth: true,
  oidc_enabled: true,
  linuxdo_oauth: true,
  wechat_login: true,
  wechat_qrcode: 'https://gate.example.com/qr.png',
  telegram_oauth: true,
  telegram_bot_name: 'gate_bot',
  telegram_url: 'data:,',
}

test('only the ways to sign in that the site enables have a button', async () => {
  serve({})
  const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
  const { unmount } = await renderConsole(<ExternalSignIn returnTo={undefined} />, { site: every })
  expect(names()).toEqual(['GitHub', 'OIDC', 'LinuxDO', 'WeChat', 'Telegram'].map((name) => `Continue with ${name}`))
  unmount()
  await renderConsole(<ExternalSignIn returnTo={undefined} />, {
    site: { oidc_enabled: true, oidc_display_name: 'Acme SSO' },
  })
  expect(names()).toEqual(['Continue with Acme SSO'])
})

test('a provider gets the invitation and the return address; a refusal is shown', async () => {
  const calls = serve({ 'GET /api/oauth/state': () => new Refusal('oauth.off', 'GitHub is switched off') })
  storedInvitation.set('q7Xk')
  const { user } = await renderConsole(<ExternalSignIn returnTo="/pricing" />, { site: every })
  await user.click(screen.getByRole('button', { name: 'Continue with GitHub' }))
  expect(await screen.findByText('GitHub is switched off')).toBeTruthy()
  expect(calls[0]?.query).toEqual({ provider: 'github', aff: 'q7Xk', return_to: '/pricing' })
  storedInvitation.clear()
})

test('a code of the public account signs in, and a wrong one is refused at its field', async () => {
  let isRight = false
  const calls = serve({
    'GET /api/oauth/wechat': () => (isRight ? aUser() : new Refusal('code.wrong', 'The code is wrong')),
  })
  const { user } = await renderConsole(<ExternalSignIn returnTo={undefined} />, { site: every, user: { id: 9 } })
  await user.click(screen.getByRole('button', { name: 'Continue with WeChat' }))
  expect((await screen.findByRole<HTMLImageElement>('img', { name: /QR code/ })).src).toBe(every.wechat_qrcode)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(screen.getByText('Please enter the code')).toBeTruthy()
  await user.type(screen.getByLabelText('Code from WeChat'), ' 1234 ')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByText('The code is wrong')).toBeTruthy()
  isRight = true
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await waitFor(() => expect(storedUser.get()?.id).toBe(1))
  expect(calls.map(({ query }) => query)).toEqual([{ code: '1234' }, { code: '1234' }])
})

test('a QR code that does not load says so and can be retried', async () => {
  serve({})
  const { user } = await renderConsole(<ExternalSignIn returnTo={undefined} />, {
    site: { wechat_login: true, wechat_qrcode: '/qr.png' },
  })
  await user.click(screen.getByRole('button', { name: 'Continue with WeChat' }))
  fireEvent.error(await screen.findByRole('img', { name: /QR code/ }))
  expect(screen.getByRole('alert').textContent).toContain('The QR code could not be loaded')
  expect(screen.queryByRole('img', { name: /QR code/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(screen.getByRole<HTMLImageElement>('img', { name: /QR code/ }).getAttribute('src')).toBe('/qr.png')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('Telegram’s button names the bot and the return page', async () => {
  serve({})
  const { user, container } = await renderConsole(<ExternalSignIn returnTo={undefined} />, { site: every })
  await user.click(screen.getByRole('button', { name: 'Continue with Telegram' }))
  await waitFor(() => expect(container.querySelector('script')).toBeTruthy())
  const script = container.querySelector('script')
  expect(script?.dataset['telegramLogin']).toBe('gate_bot')
  expect(script?.dataset['authUrl']).toMatch(/\/oauth\/telegram\?flow=[0-9a-f]{32}$/)
  expect(script?.dataset['onauth']).toBeUndefined()
})
