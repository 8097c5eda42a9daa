import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import { channelRoutes } from '@tollgate/contract'

import { renderConsole } from '../../test/render'
import { serve } from '../../test/server'
import { useRead } from '../lib/api/query'
import { AdminsOnly } from './admins-only'

function Channels() {
  useRead(channelRoutes.listChannels, { query: {} })
  return <p>{'All channels'}</p>
}

const page = (
  <AdminsOnly>
    <Channels />
  </AdminsOnly>
)

test('a page for administrators makes no request for other readers', async () => {
  const calls = serve({})
  await renderConsole(page)
  expect(await screen.findByText('You don’t have access to this')).toBeTruthy()
  expect(document.title).toBe('You don’t have access to this · Tollgate')
  expect(calls).toHaveLength(0)
})

test('administrators see a page for administrators', async () => {
  const calls = serve({ 'GET /api/channel': () => ({ items: [], page: 1, page_size: 10, total: 0 }) })
  await renderConsole(page, { user: { role: 10 } })
  expect(await screen.findByText('All channels')).toBeTruthy()
  expect(calls).toHaveLength(1)
})
