import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { role, windowRoutes, type Grant } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { GroupLimits } from './group-limits'

const daily = windowRoutes.WindowSettings.parse({ id: 1, name: 'Daily', measure: 'requests', limit: 10, span: 'day' })

const open = (grants: readonly Grant[]) => {
  serve({
    'GET /api/window/groups': () => [
      { group: 'default', windows: [daily] },
      { group: 'vip', windows: [] },
    ],
    'GET /api/window': () => ({ windows: [], standings: [] }),
  })
  return renderConsole(<GroupLimits />, { user: { role: role.admin }, grants })
}

test('each group is listed with its limits, and opens their editor', async () => {
  const { user } = await open(['users.read', 'users.write'])
  expect(await screen.findByText('10 calls per day')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Edit limits: vip' }))
  expect(await screen.findByRole('dialog', { name: 'Limits of the group “vip”' })).toBeTruthy()
})

test('readers who may not see users see no limits of groups', async () => {
  await open(['settings.read'])
  expect(screen.queryByText('10 calls per day')).toBeNull()
})
