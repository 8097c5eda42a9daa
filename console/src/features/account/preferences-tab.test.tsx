import { expect, test } from 'bun:test'
import type { userRoutes } from '@tollgate/contract'
import { screen, waitFor, within } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { anAccount } from '../../../test/user-factory'
import { storedUser } from '../../lib/api/session'
import { PreferencesTab } from './preferences-tab'

async function open(fields: Partial<userRoutes.UserEntity> = {}, responses: Parameters<typeof serve>[0] = {}) {
  const calls = serve({
    'GET /api/user/self': () => anAccount(fields),
    'PUT /api/user/setting': () => undefined,
    ...responses,
  })
  const view = await renderConsole(<PreferencesTab />)
  await screen.findByText('Allow models without a price')
  return { ...view, sent: (method: string) => calls.filter((call) => call.method === method) }
}

test('switches show what the account has stored and change only their own setting', async () => {
  const { user, sent } = await open({ setting: JSON.stringify({ show_ip_in_logs: true }) })
  const prices = screen.getByRole<HTMLInputElement>('switch', { name: 'Allow models without a price' })
  const addresses = screen.getByRole<HTMLInputElement>('switch', { name: 'Record IP addresses in the log' })
  expect([prices.checked, addresses.checked]).toEqual([false, true])
  await user.click(prices)
  await waitFor(() => expect(sent('PUT')).toHaveLength(1))
  await waitFor(() => expect(addresses.disabled).toBe(false))
  await user.click(addresses)
  await waitFor(() =>
    expect(sent('PUT').map(({ body }) => body)).toEqual([
      { accept_unset_model_ratio_model: true },
      { show_ip_in_logs: false },
    ]),
  )
})

test('a language applies at once and is stored in the account', async () => {
  const { user, sent } = await open()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Language' }), '中文')
  expect(await screen.findByText('允许调用未定价的模型')).toBeTruthy()
  await waitFor(() => expect(sent('PUT').map(({ body }) => body)).toEqual([{ language: 'zh' }]))
})

async function close(user: Awaited<ReturnType<typeof open>>['user']) {
  await user.click(screen.getByRole('button', { name: 'Delete account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete account' })
  expect(button.disabled).toBe(true)
  await user.type(dialog.getByRole('textbox'), 'ada')
  await user.click(button)
}

test('an account is deleted after its name was typed, which signs out', async () => {
  const { user, router, sent } = await open({}, { 'DELETE /api/user/self': () => undefined })
  await close(user)
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  expect(sent('DELETE').map(({ path }) => path)).toEqual(['/api/user/self'])
  expect(storedUser.get()).toBeNull()
})

test('an account that the server refuses to delete stays signed in', async () => {
  const { user } = await open({}, { 'DELETE /api/user/self': () => new Refusal('user.in_debt', 'You owe money') })
  await close(user)
  expect(await screen.findByText(/You owe money/)).toBeTruthy()
  expect(storedUser.get()?.username).toBe('ada')
})

test('the super admin cannot delete the account', async () => {
  await open({ role: 100 })
  expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull()
})
