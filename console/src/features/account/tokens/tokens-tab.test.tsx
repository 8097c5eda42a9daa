import { expect, test } from 'bun:test'
import { accessTokenRoutes } from '@tollgate/contract'
import { screen, waitFor, within } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { untilGone } from '../../../../test/until-gone'
import { TokensTab } from './tokens-tab'

const aToken = (fields: Partial<accessTokenRoutes.AccessTokenEntity> = {}): accessTokenRoutes.AccessTokenEntity => ({
  id: 7,
  name: 'Backup script',
  scopes: null,
  created_at: 1_700_000_000,
  expires_at: null,
  last_used_at: 0,
  ...fields,
})

async function open(
  tokens: readonly accessTokenRoutes.AccessTokenEntity[] = [],
  responses: Parameters<typeof serve>[0] = {},
  options: Parameters<typeof renderConsole>[1] = {},
) {
  const calls = serve({
    'GET /api/user/access_tokens': () => tokens,
    'POST /api/user/access_tokens': () => ({ ...aToken(), token: 'the-new-secret' }),
    ...responses,
  })
  const view = await renderConsole(<TokensTab />, options)
  await waitFor(() => expect(calls).toHaveLength(1))
  return { ...view, calls, sent: (method: string) => calls.filter((call) => call.method === method) }
}

test('tokens show their permissions, expiry and last use', async () => {
  await open([
    aToken(),
    aToken({
      id: 8,
      name: 'Own',
      scopes: ['self.read', 'tokens.keys'],
      expires_at: 1_700_000_001,
      last_used_at: 1_700_000_000,
    }),
    aToken({ id: 9, name: 'Reader', scopes: ['logs.read'] }),
  ])
  const row = (name: string) => within(screen.getByText(name).closest('li') ?? document.body)
  await screen.findByText('Backup script')
  expect(row('Backup script').getByText('Everything you may do')).toBeTruthy()
  expect(row('Backup script').getByText(/Never expires · Never used/)).toBeTruthy()
  expect(
    row('Own').getByText('View your account, balance, messages and API tokens, Read the keys of your API tokens'),
  ).toBeTruthy()
  expect(row('Own').getByText('Expired')).toBeTruthy()
  expect(row('Own').getByText(/Last used/)).toBeTruthy()
  expect(row('Reader').getByText('View everyone’s usage log')).toBeTruthy()
})

test('a token of an ordinary user requires a name, and its secret is shown once', async () => {
  const { user, sent } = await open()
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create access token' }).disabled).toBe(false),
  )
  await user.click(screen.getByRole('button', { name: 'Create access token' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Create access token' }))
  await user.click(drawer.getByRole('button', { name: 'Create' }))
  expect(await drawer.findByText('Please enter a name')).toBeTruthy()
  await user.type(drawer.getByRole('textbox', { name: /^Name/ }), ' Backup ')
  expect(drawer.queryByRole('checkbox')).toBeNull()
  await user.click(drawer.getByRole('button', { name: 'Create' }))
  expect(await screen.findByText('the-new-secret')).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'I have saved it' }))
  await untilGone(() => screen.queryByText('the-new-secret'))
  expect(sent('POST').map(({ body }) => body)).toEqual([{ name: 'Backup', expires_at: null, scopes: null }])
})

test('a token gets the chosen permissions and those they require, among the reader’s own', async () => {
  const { user, sent } = await open([], {}, { user: { role: 10 }, grants: ['users.read', 'users.write'] })
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create access token' }).disabled).toBe(false),
  )
  await user.click(screen.getByRole('button', { name: 'Create access token' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Create access token' }))
  await user.type(drawer.getByRole('textbox', { name: /^Name/ }), 'Sync')
  await user.selectOptions(drawer.getByRole('combobox', { name: 'Permissions' }), 'Selected permissions')
  expect(drawer.getAllByRole('checkbox')).toHaveLength(7)
  await user.click(drawer.getByRole('checkbox', { name: 'View your calls, usage and tasks' }))
  await user.click(drawer.getByRole('checkbox', { name: 'Change users' }))
  await user.click(drawer.getByRole('checkbox', { name: 'Read the keys of your API tokens' }))
  await user.click(drawer.getByRole('checkbox', { name: 'Read the keys of your API tokens' }))
  await user.click(drawer.getByRole('button', { name: 'Create' }))
  await waitFor(() =>
    expect(sent('POST')[0]?.body).toEqual({
      name: 'Sync',
      expires_at: null,
      scopes: ['calls', 'users.read', 'users.write'],
    }),
  )
})

test('no more tokens can be created than the server allows', async () => {
  const maxTokens = accessTokenRoutes.maxAccessTokens
  await open(Array.from({ length: maxTokens }, (_, index) => aToken({ id: index + 1, name: `Token ${index + 1}` })))
  expect(await screen.findByText(/which is the maximum/)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create access token' }).disabled).toBe(true)
})

test('a token is revoked after a confirmation', async () => {
  const { user, sent } = await open([aToken()], { 'DELETE /api/user/access_tokens/7': () => undefined })
  await user.click(await screen.findByRole('button', { name: 'Revoke' }))
  const question = within(await screen.findByRole('dialog', { name: 'Revoke this access token?' }))
  await user.click(question.getByRole('button', { name: 'Revoke' }))
  expect(await screen.findByText('The access token has been revoked')).toBeTruthy()
  expect(sent('DELETE').map(({ path }) => path)).toEqual(['/api/user/access_tokens/7'])
})

test('the system access token is replaced after a confirmation and shown once', async () => {
  const { user } = await open([], { 'POST /api/user/token': () => 'the-system-token' })
  await user.click(screen.getByRole('button', { name: 'Generate' }))
  const question = within(await screen.findByRole('dialog', { name: 'Generate a new system access token?' }))
  await user.click(question.getByRole('button', { name: 'Generate' }))
  expect(await screen.findByText('the-system-token')).toBeTruthy()
})
