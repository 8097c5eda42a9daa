import { expect, test } from 'bun:test'
import type { factorRoutes, userRoutes } from '@tollgate/contract'
import { screen, waitFor, within } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { anAccount } from '../../../../test/user-factory'
import { SignInTab } from './sign-in-tab'

const factors = (hasPassword: boolean): factorRoutes.Factors => ({
  totp_since: null,
  recovery_codes: 0,
  passkeys: [],
  is_required: false,
  has_password: hasPassword,
  can_use_passkeys: true,
  factors: [],
})

async function open(
  fields: Partial<userRoutes.UserEntity> = {},
  responses: Parameters<typeof serve>[0] = {},
  options: Parameters<typeof renderConsole>[1] = {},
) {
  const calls = serve({
    'GET /api/user/self': () => anAccount(fields),
    'GET /api/user/factors': () => factors(true),
    ...responses,
  })
  const view = await renderConsole(<SignInTab />, options)
  await screen.findByText('Password')
  return { ...view, calls, sent: (method: string) => calls.filter((call) => call.method === method) }
}

type User = Awaited<ReturnType<typeof open>>['user']

async function openDialog(user: User, button: string, name: string) {
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: button }).disabled).toBe(false))
  await user.click(screen.getByRole('button', { name: button }))
  return within(await screen.findByRole('dialog', { name }))
}

test('changing the password requires the current one, and the new one typed twice', async () => {
  const { user, sent } = await open(
    {},
    {
      'PUT /api/user/self': ({ body }) =>
        (body as { original_password: string }).original_password === 'old password'
          ? undefined
          : new Refusal('user.password_original', 'The current password is wrong'),
    },
  )
  const dialog = await openDialog(user, 'Change password', 'Change password')
  const submit = dialog.getByRole('button', { name: 'Change password' })
  await user.type(dialog.getByLabelText('Current password'), 'wrong')
  await user.type(dialog.getByLabelText('New password'), 'short')
  await user.type(dialog.getByLabelText('New password again'), 'other')
  await user.click(submit)
  expect(dialog.getByText('The password must have at least 8 characters')).toBeTruthy()
  expect(dialog.getByText('The passwords do not match')).toBeTruthy()
  expect(sent('PUT')).toEqual([])
  for (const label of ['New password', 'New password again']) {
    await user.clear(dialog.getByLabelText(label))
    await user.type(dialog.getByLabelText(label), 'new password')
  }
  await user.click(submit)
  expect(await dialog.findByText('The current password is wrong')).toBeTruthy()
  await user.clear(dialog.getByLabelText('Current password'))
  await user.type(dialog.getByLabelText('Current password'), 'old password')
  await user.click(submit)
  expect(await screen.findByText('Your new password is set')).toBeTruthy()
  expect(sent('PUT').at(-1)?.body).toEqual({ password: 'new password', original_password: 'old password' })
})

test('an account without a password sets its first one without being asked for another', async () => {
  const { user, sent } = await open(
    {},
    { 'GET /api/user/factors': () => factors(false), 'PUT /api/user/self': () => undefined },
  )
  expect(await screen.findByText(/has no password yet/)).toBeTruthy()
  const dialog = await openDialog(user, 'Set a password', 'Set a password')
  expect(dialog.queryByLabelText('Current password')).toBeNull()
  await user.type(dialog.getByLabelText('New password'), 'new password')
  await user.type(dialog.getByLabelText('New password again'), 'new password')
  await user.click(dialog.getByRole('button', { name: 'Set a password' }))
  await waitFor(() => expect(sent('PUT').map(({ body }) => body)).toEqual([{ password: 'new password' }]))
})

test('a mail address is linked by a mailed code, which can be sent again after a pause', async () => {
  let isRight = false
  const { user, calls } = await open(
    {},
    {
      'GET /api/verification': () => undefined,
      'POST /api/oauth/email/bind': () => (isRight ? undefined : new Refusal('code.wrong', 'The code is wrong')),
    },
    { site: { mail_enabled: true } },
  )
  const dialog = await openDialog(user, 'Link', 'Link an email address')
  await user.click(dialog.getByRole('button', { name: 'Send code' }))
  expect(calls.some(({ path }) => path === '/api/verification')).toBe(false)
  await user.type(dialog.getByLabelText('Email address'), 'ada@example.com')
  await user.click(dialog.getByRole('button', { name: 'Send code' }))
  await waitFor(() => expect(dialog.getByRole<HTMLButtonElement>('button', { name: /30|29/ }).disabled).toBe(true))
  await user.type(dialog.getByLabelText('Verification code'), '123456')
  await user.click(dialog.getByRole('button', { name: 'Link' }))
  expect(await dialog.findByText('The code is wrong')).toBeTruthy()
  isRight = true
  await user.click(dialog.getByRole('button', { name: 'Link' }))
  expect(await screen.findByText('The email address is linked')).toBeTruthy()
  expect(calls.find(({ path }) => path === '/api/oauth/email/bind')?.body).toEqual({
    email: 'ada@example.com',
    code: '123456',
  })
})

test('a site without mail links no address', async () => {
  const { unmount } = await open()
  expect(screen.getByText(/cannot send email at the moment/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Link' })).toBeNull()
  unmount()
  await open({ email: 'ada@example.com' })
  expect(screen.getByText(/^ada@example\.com is linked/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Change' })).toBeNull()
})

test('external accounts that are or can be linked are listed; linking starts at the provider', async () => {
  const { user, calls } = await open(
    { telegram_id: '42' },
    { 'GET /api/oauth/state': () => new Refusal('oauth.unreachable', 'GitHub cannot be reached') },
    { site: { github_oauth: true, oidc_enabled: true, oidc_display_name: 'Acme SSO' } },
  )
  const row = (name: string) => within(screen.getByText(name).closest('li') ?? document.body)
  expect(row('Telegram').getByText('ID 42')).toBeTruthy()
  expect(row('Telegram').queryByRole('button', { name: /^Link/ })).toBeNull()
  expect(row('Acme SSO').getByRole('button', { name: 'Link Acme SSO' })).toBeTruthy()
  expect(screen.queryByText('LinuxDO')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Link GitHub' }))
  expect(await screen.findByText(/GitHub cannot be reached/)).toBeTruthy()
  expect(calls.find(({ path }) => path === '/api/oauth/state')?.query['provider']).toBe('github')
})

test('WeChat is linked by a code of the public account, and a wrong one is refused at its field', async () => {
  let isRight = false
  const { user, sent } = await open(
    {},
    {
      'POST /api/oauth/wechat/bind': () =>
        isRight ? undefined : new Refusal('oauth.taken', 'It belongs to another user'),
    },
    { site: { wechat_login: true, wechat_qrcode: 'https://gate.example.com/qr.png' } },
  )
  const dialog = await openDialog(user, 'Link WeChat', 'Link WeChat')
  expect(dialog.getByRole<HTMLImageElement>('img').src).toBe('https://gate.example.com/qr.png')
  await user.type(dialog.getByRole('textbox'), '1234')
  await user.click(dialog.getByRole('button', { name: 'Link' }))
  expect(await dialog.findByText('It belongs to another user')).toBeTruthy()
  isRight = true
  await user.click(dialog.getByRole('button', { name: 'Link' }))
  expect(await screen.findByText('Account linked')).toBeTruthy()
  expect(sent('POST').at(-1)?.body).toEqual({ code: '1234' })
})

test('Telegram’s own button replaces ours', async () => {
  const { user, container } = await open(
    {},
    {},
    { site: { telegram_oauth: true, telegram_bot_name: 'gate_bot', telegram_url: 'data:,' } },
  )
  await user.click(screen.getByRole('button', { name: 'Link Telegram' }))
  await waitFor(() => expect(container.querySelector('script')?.dataset['telegramLogin']).toBe('gate_bot'))
})

test('an external account is unlinked after a confirmation', async () => {
  const { user, sent } = await open({ telegram_id: '42' }, { 'DELETE /api/oauth/bindings/telegram': () => undefined })
  await user.click(screen.getByRole('button', { name: 'Unlink' }))
  const question = within(await screen.findByRole('dialog', { name: 'Unlink Telegram?' }))
  await user.click(question.getByRole('button', { name: 'Unlink' }))
  expect(await screen.findByText('Account unlinked')).toBeTruthy()
  expect(sent('DELETE').map(({ path }) => path)).toEqual(['/api/oauth/bindings/telegram'])
})
