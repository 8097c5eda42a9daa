import { expect, test } from 'bun:test'
import { act, screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { aTurnstile } from '../../../../test/turnstile'
import { rememberInvitation, storedInvitation } from '../../../lib/url/invitation'
import { RegisterForm } from './register-form'

type Person = Awaited<ReturnType<typeof renderConsole>>['user']

async function fill(user: Person, again = 'correct-horse') {
  await user.type(screen.getByLabelText('Username'), ' ada ')
  await user.type(screen.getByLabelText('Password'), 'correct-horse')
  await user.type(screen.getByLabelText('Repeat the password'), again)
}

const submit = (user: Person) => user.click(screen.getByRole('button', { name: 'Sign up' }))

test('errors are shown at their fields, and nothing is sent', async () => {
  const calls = serve({})
  const { user } = await renderConsole(<RegisterForm onDone={() => {}} />, {
    language: 'zh',
    site: { email_verification: true, mail_enabled: true },
  })
  await user.type(screen.getByLabelText('密码'), '1234567')
  await user.click(screen.getByRole('button', { name: '注册' }))
  for (const fault of [
    '请输入用户名',
    '密码长度至少为8个字符',
    '两次输入的密码不一致',
    '请输入邮箱地址',
    '请输入验证码',
  ])
    expect(screen.getByText(fault)).toBeTruthy()
  expect(calls).toEqual([])
})

test('the account is sent with the invitation code, which is then forgotten', async () => {
  const calls = serve({ 'POST /api/user/register': () => undefined })
  let done = 0
  rememberInvitation('a1B2')
  const { user } = await renderConsole(<RegisterForm onDone={() => (done += 1)} />)
  await fill(user)
  await submit(user)
  await waitFor(() => expect(done).toBe(1))
  expect(calls).toEqual([
    {
      method: 'POST',
      path: '/api/user/register',
      query: {},
      body: { username: 'ada', password: 'correct-horse', password2: 'correct-horse', aff_code: 'a1B2' },
    },
  ])
  expect(storedInvitation.get()).toBe('')
  expect(await screen.findByText('Your account has been created. Please sign in.')).toBeTruthy()
})

test('a site by invitation only asks for the code, with that of a link filled in', async () => {
  const calls = serve({
    'POST /api/user/register': () =>
      new Refusal('register.invitation', 'Registration needs the invitation code of a member.'),
  })
  rememberInvitation('a1B2')
  const { user } = await renderConsole(<RegisterForm onDone={() => {}} />, { site: { invitation_required: true } })
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Invitation code' })
  expect(field.value).toBe('a1B2')
  await user.clear(field)
  await user.type(field, ' c3D4 ')
  await fill(user)
  await submit(user)
  expect(await screen.findByText('Registration needs the invitation code of a member.')).toBeTruthy()
  expect(calls[0]?.body).toMatchObject({ aff_code: 'c3D4' })
})

test('a site without mail asks for no address', async () => {
  serve({})
  await renderConsole(<RegisterForm onDone={() => {}} />)
  expect(screen.queryByLabelText(/Email/)).toBeNull()
})

test('an address is optional where no proof is required, but needs its code once it is given', async () => {
  const calls = serve({ 'GET /api/verification': () => undefined, 'POST /api/user/register': () => undefined })
  const { user } = await renderConsole(<RegisterForm onDone={() => {}} />, { site: { mail_enabled: true } })
  await fill(user)
  await user.type(screen.getByLabelText('Email address (optional)'), 'ada@example.com')
  await submit(user)
  expect(screen.getByText('Please enter the verification code')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Send code' }))
  const again = await screen.findByRole<HTMLButtonElement>('button', { name: 'Resend in 30 s' })
  expect(again.disabled).toBe(true)
  expect(calls[0]).toMatchObject({ path: '/api/verification', query: { email: 'ada@example.com' } })
  await user.type(screen.getByLabelText('Verification code'), '123456')
  await submit(user)
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]?.body).toMatchObject({ email: 'ada@example.com', verification_code: '123456' })
})

test('a refusal is shown at its field', async () => {
  serve({
    'GET /api/verification': () => new Refusal('email.domain', 'Not at example.com'),
    'POST /api/user/register': () => new Refusal('user.exists', 'This username is taken'),
  })
  const { user } = await renderConsole(<RegisterForm onDone={() => {}} />, { site: { mail_enabled: true } })
  await fill(user)
  await submit(user)
  expect(await screen.findByText('This username is taken')).toBeTruthy()
  await user.type(screen.getByLabelText('Email address (optional)'), 'ada@example.com')
  await user.click(screen.getByRole('button', { name: 'Send code' }))
  expect(await screen.findByText('Not at example.com')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send code' }).disabled).toBe(false)
})

test('the form and each code require a bot check of their own, and a used one is renewed', async () => {
  const widgets = aTurnstile()
  const calls = serve({
    'GET /api/verification': () => undefined,
    'POST /api/user/register': () => new Refusal('register.off', 'Registration is closed'),
  })
  const { user } = await renderConsole(<RegisterForm onDone={() => {}} />, {
    site: { mail_enabled: true, turnstile_check: true, turnstile_site_key: 'site-key', turnstile_url: 'data:,' },
  })
  await waitForWidgets(widgets, 1)
  expect(widgets[0]).toMatchObject({ action: 'register', sitekey: 'site-key' })
  await fill(user)
  await submit(user)
  expect(screen.getByText('Please complete the check that you are human')).toBeTruthy()
  expect(calls).toEqual([])

  await user.type(screen.getByLabelText('Email address (optional)'), 'ada@example.com')
  await user.click(screen.getByRole('button', { name: 'Send code' }))
  await waitForWidgets(widgets, 2)
  expect(widgets[1]?.action).toBe('verification')
  act(() => widgets[1]?.solve('token-of-code'))
  await screen.findByRole('button', { name: 'Resend in 30 s' })
  expect(calls[0]?.query).toEqual({ email: 'ada@example.com', turnstile: 'token-of-code' })
  expect(widgets[1]?.isGone).toBe(true)

  await user.type(screen.getByLabelText('Verification code'), '123456')
  act(() => widgets[0]?.solve('token-of-form'))
  await submit(user)
  expect(await screen.findByText('Registration is closed')).toBeTruthy()
  expect(calls[1]?.query).toEqual({ turnstile: 'token-of-form' })
  await waitForWidgets(widgets, 3)
  expect(widgets[0]?.isGone).toBe(true)
  await submit(user)
  expect(screen.getByText('Please complete the check that you are human')).toBeTruthy()
  expect(calls).toHaveLength(2)
})

const waitForWidgets = (widgets: readonly unknown[], count: number) =>
  waitFor(() => expect(widgets).toHaveLength(count))
