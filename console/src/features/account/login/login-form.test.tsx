import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { storedUser } from '../../../lib/api/session'
import { DefaultPasswordDialog } from './default-password-dialog'
import { LoginForm } from './login-form'

const root = { id: 1, username: 'root', display_name: 'Root', role: 100, status: 1, group: 'default' }

async function signIn(user: Awaited<ReturnType<typeof renderConsole>>['user'], password: string) {
  await user.type(screen.getByLabelText('Username or email'), 'root')
  await user.type(screen.getByLabelText('Password'), password)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

test('both fields are required', async () => {
  const calls = serve({})
  const { user } = await renderConsole(<LoginForm onDefaultPassword={() => {}} />)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(screen.getByText('Please enter your username or email')).toBeTruthy()
  expect(screen.getByText('Please enter your password')).toBeTruthy()
  expect(calls).toEqual([])
})

test('a refusal is shown and what was typed stays', async () => {
  serve({ 'POST /api/user/login': () => new Refusal('login.failed', 'Wrong user name or password') })
  const { user } = await renderConsole(<LoginForm onDefaultPassword={() => {}} />)
  await signIn(user, 'wrong')
  expect(await screen.findByText('Wrong user name or password')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('wrong')
})

test.each([
  ['123456', 1],
  ['correct-horse', 0],
])('the password %p warns the administrator %p times', async (password, warnings) => {
  serve({ 'POST /api/user/login': () => root })
  let warned = 0
  const { user } = await renderConsole(<LoginForm onDefaultPassword={() => (warned += 1)} />, { user: { id: 9 } })
  await signIn(user, password)
  await waitFor(() => expect(storedUser.get()?.id).toBe(1))
  expect(warned).toBe(warnings)
})

test('the default password is changed in place', async () => {
  let closed = 0
  const calls = serve({ 'PUT /api/user/self': () => undefined })
  const { user } = await renderConsole(<DefaultPasswordDialog onClose={() => (closed += 1)} />)
  await user.type(await screen.findByLabelText('Current password'), '123456')
  await user.type(screen.getByLabelText('New password'), 'correct-horse')
  await user.type(screen.getByLabelText('Repeat the new password'), 'correct-hors')
  await user.click(screen.getByRole('button', { name: 'Change the password' }))
  expect(screen.getByText('The passwords do not match')).toBeTruthy()
  await user.type(screen.getByLabelText('Repeat the new password'), 'e')
  await user.click(screen.getByRole('button', { name: 'Change the password' }))
  await waitFor(() => expect(closed).toBe(1))
  expect(calls[0]?.body).toEqual({ password: 'correct-horse', original_password: '123456' })
})
