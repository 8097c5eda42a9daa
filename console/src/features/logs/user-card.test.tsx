import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { UserCard } from './user-card'

test('a user who cannot be loaded shows an error and a retry', async () => {
  const shownUser = {
    id: 5,
    username: 'mei',
    display_name: 'Mei',
    group: 'vip',
    quota: 0,
    used_quota: 0,
    request_count: 0,
  }
  let tries = 0
  serve({ 'GET /api/user/5': () => ((tries += 1) === 1 ? new Refusal('db.error', 'The database is away') : shownUser) })
  let closed = 0
  const { user } = await renderConsole(<UserCard id={5} onClose={() => (closed += 1)} />, { user: { role: 10 } })
  expect(await screen.findByText('The database is away')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('mei')).toBeTruthy()
  await user.keyboard('{Escape}')
  expect(closed).toBe(1)
})
