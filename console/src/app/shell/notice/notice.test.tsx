import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { Shell } from '../shell'

const open = async (notice_id: string, text = 'Maintenance on **Sunday**', address = '/app/tokens') => {
  const calls = serve({ 'GET /api/notice': () => text })
  const view = await renderConsole(<Shell />, { address, site: { notice_id } })
  return { ...view, requests: () => calls.filter(({ path }) => path === '/api/notice').length }
}
const strip = () => screen.findByRole('region', { name: 'Announcement' })

test('an announcement is shown on every page until it is dismissed, and a new one is shown again', async () => {
  const first = await open('one')
  expect(await within(await strip()).findByText('Maintenance on Sunday')).toBeTruthy()
  await first.user.click(screen.getByRole('button', { name: 'Dismiss the announcement' }))
  expect(screen.queryByRole('region', { name: 'Announcement' })).toBeNull()
  first.unmount()
  const again = await open('one')
  expect(again.requests()).toBe(0)
  again.unmount()
  await open('two')
  expect(await strip()).toBeTruthy()
})

test('a dismissed announcement opens again from the account menu', async () => {
  localStorage.setItem('notice-read', 'one')
  const { user } = await open('one')
  await user.click(screen.getByRole('button', { name: 'Account of ada' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Announcement' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Announcement' }))
  expect(await dialog.findByText('Sunday')).toBeTruthy()
})

test('an announcement that is a page of another site opens in a frame, which counts as read', async () => {
  const { user } = await open('three', 'https://status.example/now')
  await strip()
  await user.click(screen.getByRole('button', { name: 'Read more' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Announcement' }))
  expect((await dialog.findByTitle('Announcement')).getAttribute('src')).toBe('https://status.example/now')
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(localStorage.getItem('notice-read')).toBe('three'))
})

test('a site without an announcement makes no request, and its account menu does not mention one', async () => {
  const { user, requests } = await open('')
  await user.click(screen.getByRole('button', { name: 'Account of ada' }))
  await screen.findByRole('menuitem', { name: 'Log out' })
  expect(screen.queryByRole('menuitem', { name: 'Announcement' })).toBeNull()
  expect(requests()).toBe(0)
})

test('a site before its setup has no announcement', async () => {
  const { requests } = await open('one', 'Hello', '/setup')
  expect(requests()).toBe(0)
})
