import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { storedUser } from '../../../lib/api/session'
import { NewPasswordPage } from './new-password-page'
import { ResetPage } from './reset-page'

const site = { mail_enabled: true }
const link = { path: '/user/reset', address: '/user/reset?email=ada%40example.com&token=t0k3n' } as const

test('a link is requested, and the response reveals nothing about accounts', async () => {
  const calls = serve({ 'GET /api/reset_password': () => undefined })
  const { user } = await renderConsole(<ResetPage />, { site })
  await user.click(screen.getByRole('button', { name: 'Send the link' }))
  expect(screen.getByText('Please enter your email address')).toBeTruthy()
  await user.type(screen.getByLabelText('Email address'), ' ada@example.com ')
  await user.click(screen.getByRole('button', { name: 'Send the link' }))
  expect(await screen.findByText(/^If an account has the address ada@example.com/)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Resend in 30 s' }).disabled).toBe(true)
  expect(calls.map(({ query }) => query)).toEqual([{ email: 'ada@example.com' }])
})

test('a site without mail says whom to ask', async () => {
  serve({})
  await renderConsole(<ResetPage />)
  expect(screen.getByText(/^This site cannot send mail/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send the link' })).toBeNull()
})

test('the link sets the new password and ends the session in this browser', async () => {
  const calls = serve({ 'POST /api/user/reset': () => undefined })
  const { user, router } = await renderConsole(<NewPasswordPage />, link)
  expect(screen.getByLabelText<HTMLInputElement>('Account').value).toBe('ada@example.com')
  await user.type(screen.getByLabelText('New password'), 'correct-horse')
  await user.type(screen.getByLabelText('Repeat the new password'), 'correct-hors')
  await user.click(screen.getByRole('button', { name: 'Set the password' }))
  expect(screen.getByText('The passwords do not match')).toBeTruthy()
  await user.type(screen.getByLabelText('Repeat the new password'), 'e')
  await user.click(screen.getByRole('button', { name: 'Set the password' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  expect(calls[0]?.body).toEqual({ email: 'ada@example.com', token: 't0k3n', password: 'correct-horse' })
  expect(storedUser.get()).toBeNull()
})

test.each([
  ['that lacks its token', '/user/reset?email=ada%40example.com', false],
  ['that was used before', link.address, true],
])('a link %s offers to request a new one', async (_, address, isSent) => {
  serve({ 'POST /api/user/reset': () => new Refusal('reset.invalid', 'no longer valid') })
  const { user } = await renderConsole(<NewPasswordPage />, { ...link, address })
  if (isSent) {
    await user.type(screen.getByLabelText('New password'), 'correct-horse')
    await user.type(screen.getByLabelText('Repeat the new password'), 'correct-horse')
    await user.click(screen.getByRole('button', { name: 'Set the password' }))
  }
  const anew = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Ask for a new link' })
  expect(anew.getAttribute('href')).toBe('/reset')
})
