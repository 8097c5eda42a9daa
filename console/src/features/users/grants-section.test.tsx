import { expect, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'
import { givableGrants, type Grant, type userRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { GrantsSection } from './grants-section'

const aUser = (role: number, grants: readonly Grant[]) =>
  ({ id: 7, username: 'mei', role, grants: [...grants], DeletedAt: null }) as userRoutes.UserEntity

async function open(user: userRoutes.UserEntity, viewerRole = 100) {
  const calls = serve({ 'PUT /api/user/7/grants': () => user })
  const view = await renderConsole(<GrantsSection user={user} />, { user: { role: viewerRole } })
  return { ...view, calls }
}

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

test('adding a grant adds those it requires, removing it removes those that require it', async () => {
  const { user, calls } = await open(aUser(1, []))
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Apply permissions' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Choose each permission' }))
  await user.click(box('Enter and delete channel keys'))
  expect([box('View channels').checked, box('Change and test channels').checked]).toEqual([true, true])
  await user.click(box('Change and test channels'))
  expect([box('View channels').checked, box('Enter and delete channel keys').checked]).toEqual([true, false])
  await user.click(screen.getByRole('button', { name: 'Apply permissions' }))
  await waitFor(() => expect(calls.at(-1)?.body).toEqual({ grants: ['channels.read'] }))
})

test('an area selects a set of grants', async () => {
  const { user } = await open(aUser(10, givableGrants))
  await user.click(screen.getByRole('button', { name: 'Choose each permission' }))
  const area = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Area' })
  expect(area.value).toBe('all')
  await user.selectOptions(area, 'Finance')
  expect([box('Change balances and rewards').checked, box('View channels').checked]).toEqual([true, false])
  await user.click(box('View channels'))
  expect(area.selectedOptions[0]?.textContent).toBe('Custom')
})

test('a super admin has nothing to change, and others see no section', async () => {
  const { unmount } = await open(aUser(100, givableGrants))
  expect(screen.getByText('The super admin may do everything.')).toBeTruthy()
  expect(screen.queryByRole('checkbox')).toBeNull()
  unmount()
  await open(aUser(1, []), 10)
  expect(screen.queryByText('Permissions')).toBeNull()
})
