import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { role, type Grant, type userRoutes } from '@tollgate/contract'

import { menuItems } from '../../../test/menu-items'
import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { aMember } from '../../../test/user-factory'
import { BulkActions } from './bulk-actions'
import { UserActions } from './user-actions'
import { UserRole, UserStatus } from './user-cells'

type User = userRoutes.UserEntity
interface Offered {
  readonly mayEdit: boolean
  readonly menu: readonly string[]
}

const all: readonly Grant[] = ['users.read', 'users.write', 'balances.write', 'logs.read']
const more = 'More actions for “mei”'

test.each<[string, number, readonly Grant[] | undefined, Partial<User>, Offered]>([
  ['a reader', role.admin, ['users.read'], {}, { mayEdit: false, menu: ['API tokens', 'Limits'] }],
  [
    'a reader of logs',
    role.admin,
    ['users.read', 'logs.read'],
    {},
    { mayEdit: false, menu: ['API tokens', 'Limits', 'Usage log'] },
  ],
  [
    'a writer of balances',
    role.admin,
    ['users.read', 'balances.write'],
    {},
    { mayEdit: true, menu: ['API tokens', 'Limits'] },
  ],
  [
    'a writer of users',
    role.admin,
    ['users.read', 'users.write'],
    {},
    { mayEdit: true, menu: ['API tokens', 'Limits', 'Ban', 'Close account'] },
  ],
  [
    'an administrator',
    role.admin,
    all,
    {},
    { mayEdit: true, menu: ['API tokens', 'Limits', 'Usage log', 'Ban', 'Close account'] },
  ],
  [
    'an administrator, of a banned user',
    role.admin,
    all,
    { status: 2 },
    { mayEdit: true, menu: ['API tokens', 'Limits', 'Usage log', 'Enable', 'Close account'] },
  ],
  [
    'an administrator, of a user with second factors',
    role.admin,
    all,
    { has_second_factor: true },
    { mayEdit: true, menu: ['API tokens', 'Limits', 'Usage log', 'Ban', 'Remove second factors', 'Close account'] },
  ],
  [
    'an administrator, of another one',
    role.admin,
    all,
    { role: role.admin },
    { mayEdit: false, menu: ['API tokens', 'Limits', 'Usage log'] },
  ],
  [
    'the super admin',
    role.root,
    undefined,
    {},
    { mayEdit: true, menu: ['API tokens', 'Limits', 'Usage log', 'Promote to admin', 'Ban', 'Close account'] },
  ],
  [
    'the super admin, of an administrator',
    role.root,
    undefined,
    { role: role.admin },
    { mayEdit: true, menu: ['API tokens', 'Limits', 'Usage log', 'Demote to user', 'Ban', 'Close account'] },
  ],
  [
    'the super admin, of a deleted account',
    role.root,
    undefined,
    { DeletedAt: '2026-01-01' },
    { mayEdit: false, menu: [] },
  ],
])('%s is offered the actions that the server allows', async (_, ofRole, grants, fields, offered) => {
  serve({})
  const actions = <UserActions user={aMember(fields)} onEdit={() => {}} onLimits={() => {}} />
  const { user } = await renderConsole(actions, { user: { role: ofRole }, ...(grants && { grants }) })
  const hasMenu = screen.queryByLabelText(more) !== null
  expect({
    mayEdit: screen.queryByLabelText('Edit') !== null,
    menu: hasMenu ? await menuItems(user, more) : [],
  }).toEqual({ mayEdit: offered.mayEdit, menu: [...offered.menu] })
})

test.each([
  [2, true],
  [3, false],
])('an account with the status %d can be enabled: %p', async (status, isEnabled) => {
  const calls = serve({ 'POST /api/user/manage': () => aMember() })
  const actions = <UserActions user={aMember({ status })} onEdit={() => {}} onLimits={() => {}} />
  const { user } = await renderConsole(actions, { user: { role: role.admin }, grants: all })
  await user.click(screen.getByLabelText(more))
  const item = await screen.findByRole<HTMLButtonElement>('menuitem', { name: 'Enable' })
  expect(item.disabled).toBe(!isEnabled)
  await user.click(item)
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(isEnabled ? 1 : 0)
})

test.each<[readonly Grant[], string[]]>([
  [['users.read'], ['Export']],
  [
    ['users.read', 'users.write'],
    ['Change group', 'Ban', 'Export'],
  ],
  [
    ['users.read', 'balances.write'],
    ['Change balance', 'Export'],
  ],
  [
    ['users.read', 'messages.read', 'messages.write'],
    ['Message', 'Export'],
  ],
  [all, ['Change group', 'Change balance', 'Ban', 'Export']],
])('selected users are offered to holders of %j: %j', async (grants, names) => {
  await renderConsole(<BulkActions users={[aMember()]} onDone={() => {}} />, { user: { role: role.admin }, grants })
  expect(screen.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual(names)
})

test.each<[Partial<User>, string]>([
  [{}, 'ActiveUser'],
  [{ status: 2, role: role.admin }, 'BannedAdmin'],
  [{ status: 3, role: 7 }, 'UnknownUnknown'],
  [{ DeletedAt: '2026-01-01', role: role.root }, 'ClosedSuper admin'],
])('an account with %j is “%s”', async (fields, text) => {
  const user = aMember(fields)
  await renderConsole(
    <main>
      <UserStatus user={user} />
      <UserRole user={user} />
    </main>,
  )
  expect(screen.getByRole('main').textContent).toBe(text)
})
