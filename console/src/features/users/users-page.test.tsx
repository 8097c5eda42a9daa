import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'
import { role, type Grant } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { aMember } from '../../../test/user-factory'
import { UserSearch } from './user-search'
import { UsersPage } from './users-page'

const mei = aMember({ has_second_factor: true })

async function open(
  grants: readonly Grant[] | undefined,
  address = '/admin/users',
  answers: Parameters<typeof serve>[0] = {},
) {
  const calls = serve({
    'GET /api/user': () => ({ items: [mei], page: 1, page_size: 10, total: 1 }),
    'GET /api/user/usage': () => [],
    'GET /api/user/7': () => mei,
    'GET /api/group': () => ['default'],
    ...answers,
  })
  const view = await renderConsole(<UsersPage />, {
    address,
    path: '/admin/users',
    validateSearch: (search) => UserSearch.parse(search),
    user: { role: role.admin },
    ...(grants && { grants }),
  })
  await screen.findByText('Mei')
  return { ...view, calls }
}

const names = (kind: 'button' | 'menuitem') =>
  screen.queryAllByRole(kind).map((element) => element.getAttribute('aria-label') ?? element.textContent)

test('readers without write access are offered no changes', async () => {
  await open(['users.read'])
  for (const name of ['Add user', 'Edit', 'More actions for “mei”']) expect(names('button')).not.toContain(name)
  expect(screen.queryByRole('checkbox', { name: /Select/ })).toBeNull()
})

test('the other fields are disabled for readers who may change only balances', async () => {
  await open(['users.read', 'balances.write'], '/admin/users?edit=7')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit mei' }))
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Username' }).disabled).toBe(true)
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: /^Quota to add/ }).disabled).toBe(false)
})

test('readers who may not change balances see the balance without a field', async () => {
  await open(['users.read', 'users.write'], '/admin/users?edit=7')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit mei' }))
  expect(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Username' }).disabled).toBe(false)
  expect(dialog.queryByRole('textbox', { name: /^Quota to add/ })).toBeNull()
})

test('removing second factors asks for a reason and sends it', async () => {
  const { user, calls } = await open(undefined, '/admin/users', { 'DELETE /api/user/7/factors': () => undefined })
  await user.click(screen.getByRole('button', { name: 'More actions for “mei”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove second factors' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove the second factors of “mei”?' }))
  const remove = dialog.getByRole<HTMLButtonElement>('button', { name: 'Remove second factors' })
  expect(remove.disabled).toBe(true)
  await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), ' Lost the phone ')
  await user.click(remove)
  await waitFor(() => expect(calls.at(-1)).toMatchObject({ method: 'GET' }))
  expect(calls.find(({ method }) => method === 'DELETE')).toMatchObject({ body: { reason: 'Lost the phone' } })
})
