import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import type { systemRoutes } from '@tollgate/contract'

import { renderConsole } from '../../test/render'
import { serve } from '../../test/server'
import { ReleaseCheck } from './release-check'

const news: systemRoutes.ReleaseNews = {
  checked_at: 1_767_582_000,
  version: '9.9.9',
  notes: '**Faster** <script>alert(1)</script>',
  failure: '',
  status: null,
}
const release = { current: '0.1.0', is_set_up: true, news: null, is_newer: false }

test('a newer release is shown with its notes, without scripts', async () => {
  let isRequested = false
  const found = { ...release, news, is_newer: true }
  serve({
    'GET /api/system/release': () => (isRequested ? found : release),
    'POST /api/system/release': () => {
      isRequested = true
      return found
    },
  })
  const { user } = await renderConsole(<ReleaseCheck />, { user: { role: 100 } })
  await user.click(await screen.findByRole('button', { name: 'Check for updates' }))
  expect(await screen.findByText('Version 9.9.9 is available')).toBeTruthy()
  expect(document.querySelector('script[src], [role=alert] script')).toBeNull()
})

test('a failed check shows one sentence', async () => {
  const failed = { ...release, news: { ...news, failure: 'unreachable' as const, version: '' } }
  serve({ 'GET /api/system/release': () => failed })
  await renderConsole(<ReleaseCheck />, { user: { role: 100 } })
  expect(
    await screen.findByText('Could not check for updates: the address cannot be reached from this server.'),
  ).toBeTruthy()
})

test('the check is not offered without an address', async () => {
  serve({ 'GET /api/system/release': () => ({ ...release, is_set_up: false }) })
  await renderConsole(<ReleaseCheck />, { user: { role: 100 } })
  const button = await screen.findByRole('button', { name: 'Check for updates' })
  expect(button.hasAttribute('disabled')).toBe(true)
})
