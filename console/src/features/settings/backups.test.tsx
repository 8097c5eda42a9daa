import { expect, spyOn, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'
import type { backupRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { Backups } from './backups'

const backup: backupRoutes.Backup = {
  name: 'manual-20260105-030000',
  is_scheduled: false,
  created_at: 1_767_582_000,
  bytes: 3 * 1024 ** 2,
  release: '0.1.0',
  database: 'sqlite',
  has_secret_key: true,
  failure: '',
}
const state: backupRoutes.Backups = {
  items: [backup],
  is_running: false,
  last: null,
  folder: '/data/backups',
  free_bytes: 1024 ** 3,
  has_database: true,
  has_secret_key: true,
}

test('a backup is created, verified and deleted', async () => {
  const calls = serve({
    'GET /api/backup': () => state,
    'POST /api/backup': () => ({ name: backup.name }),
    'POST /api/backup/manual-20260105-030000/verify': () => ({ failure: 'node-id is missing' }),
    'DELETE /api/backup/manual-20260105-030000': () => undefined,
  })
  const { user } = await renderConsole(<Backups />, { user: { role: 100 } })
  expect(await screen.findByText('3 MB')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Back up now' }))
  await user.click(screen.getByRole('button', { name: `Actions for ${backup.name}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Verify' }))
  expect(await screen.findByText('The backup is damaged: node-id is missing')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: `Actions for ${backup.name}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(calls.map(({ method }) => method)).toContain('DELETE')
})

test('the contents missing from a backup are listed, and only the super admin creates one', async () => {
  serve({ 'GET /api/backup': () => ({ ...state, items: [], has_database: false, has_secret_key: false }) })
  await renderConsole(<Backups />, { user: { role: 10 } })
  expect(await screen.findByText(/The database is on PostgreSQL and is not in these backups/)).toBeTruthy()
  expect(screen.getByText(/SECRET_KEY is set in the environment/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Back up now' })).toBeNull()
})

test('a backup is downloaded by an address with a ticket', async () => {
  serve({
    'GET /api/backup': () => state,
    'POST /api/backup/manual-20260105-030000/ticket': () => ({ ticket: 'abc' }),
  })
  const followed: string[] = []
  const click = spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute('href') ?? '')
  })
  try {
    const { user } = await renderConsole(<Backups />, { user: { role: 100 } })
    await user.click(await screen.findByRole('button', { name: `Actions for ${backup.name}` }))
    await user.click(await screen.findByRole('menuitem', { name: 'Download' }))
    await waitFor(() => expect(followed).toEqual(['/api/backup/manual-20260105-030000/file?ticket=abc']))
  } finally {
    click.mockRestore()
  }
})
