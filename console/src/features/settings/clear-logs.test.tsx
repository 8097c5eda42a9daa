import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'
import dayjs from 'dayjs'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { ClearLogs } from './clear-logs'

const press = (name: string) => screen.getByRole('button', { name })

test('rows before the time are deleted after a confirmation', async () => {
  const calls = serve({ 'DELETE /api/log': () => 12 })
  const { user } = await renderConsole(<ClearLogs />, { user: { role: 10 } })
  const before = dayjs(press('Delete everything before').textContent).unix()
  await user.click(press('Clear logs'))
  const dialog = await screen.findByRole('dialog', { name: 'Clear old logs' })
  expect(calls).toEqual([])
  await user.click([...dialog.querySelectorAll('button')].at(-1) as HTMLElement)
  await screen.findByText('12 rows deleted')
  expect(calls.map(({ query }) => query)).toEqual([{ target_timestamp: String(before) }])
})

test('a missing time is asked for', async () => {
  const calls = serve({})
  const { user } = await renderConsole(<ClearLogs />, { user: { role: 10 } })
  await user.click(press('Clear the time'))
  await user.click(press('Clear logs'))
  await screen.findByText('Please choose a log time')
  expect(calls).toEqual([])
})

test('a refusal shows its reason', async () => {
  serve({ 'DELETE /api/log': () => new Refusal('log.recent', 'too recent') })
  const { user } = await renderConsole(<ClearLogs />, { user: { role: 10 } })
  await user.click(press('Clear logs'))
  const dialog = await screen.findByRole('dialog', { name: 'Clear old logs' })
  await user.click([...dialog.querySelectorAll('button')].at(-1) as HTMLElement)
  await screen.findByText(/Log cleaning failed: too recent/)
})

test('deleting logs is not offered without the grant', async () => {
  await renderConsole(<ClearLogs />, { user: { role: 10 }, grants: ['settings.read', 'settings.write', 'logs.read'] })
  expect(screen.queryByRole('button')).toBeNull()
})
