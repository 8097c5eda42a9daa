import { expect, test } from 'bun:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { storedUser } from '../../lib/session'
import { PhoneMenu } from './phone-menu'
import { Shell } from './shell'

const pageOf = (items: readonly object[]) => ({ items, page: 1, page_size: 5, total: items.length })
const noneFound = { 'GET /api/token/search': () => pageOf([]), 'GET /api/channel/search': () => pageOf([]) }

const open = async (answers: Parameters<typeof serve>[0] = {}, options: Parameters<typeof renderConsole>[1] = {}) => {
  const calls = serve({ ...noneFound, ...answers })
  return { ...(await renderConsole(<Shell />, { address: '/app/tokens', ...options })), calls }
}
const press = (key: string, more: object = {}) => fireEvent.keyDown(document.body, { key, ...more })

test('signing out ends the session here and there', async () => {
  const { user, router } = await open({ 'POST /api/user/logout': () => undefined })
  await user.click(screen.getByRole('button', { name: 'Account of ada' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  expect(await screen.findByText('Logout successful!')).toBeTruthy()
  expect(storedUser.get()).toBeNull()
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
})

test('a sign-out that fails is said, and one stays signed in', async () => {
  const { user } = await open({ 'POST /api/user/logout': () => new Refusal('db.error', 'The database is away') })
  await user.click(screen.getByRole('button', { name: 'Account of ada' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  expect(await screen.findByText('The database is away')).toBeTruthy()
  expect(storedUser.get()?.username).toBe('ada')
})

test('the palette goes to a page, and finds tokens by name', async () => {
  const { user, router, calls } = await open({ 'GET /api/token/search': () => pageOf([{ id: 7, name: 'Web shop' }]) })
  press('k', { ctrlKey: true })
  const field = await screen.findByRole('textbox', { name: 'Search or go to' })
  await user.type(field, 'web')
  expect(await screen.findByText('Web shop')).toBeTruthy()
  expect(calls.some(({ path }) => path === '/api/channel/search')).toBe(false)
  await user.clear(field)
  await user.type(field, 'usage')
  await user.click(await screen.findByRole('button', { name: /Usage log/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/logs/api-usage'))
})

test('administrators test all channels from the palette', async () => {
  const { user, calls } = await open({ 'GET /api/channel/test': () => undefined }, { user: { role: 10 } })
  press('k', { metaKey: true })
  await user.type(await screen.findByRole('textbox', { name: 'Search or go to' }), 'test all')
  await user.click(await screen.findByRole('button', { name: /Test all channels/ }))
  expect(await screen.findByText('The test of all channels has started')).toBeTruthy()
  expect(calls.some(({ path }) => path === '/api/channel/test')).toBe(true)
})

test('g and a letter jump; a question mark lists the keys', async () => {
  const { router } = await open()
  press('?')
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
  press('g')
  press('l')
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/logs/api-usage'))
})

test('keys mean nothing while one writes', async () => {
  const { container } = await open()
  const field = container.ownerDocument.createElement('input')
  container.append(field)
  fireEvent.keyDown(field, { key: '?' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the menu is narrow or wide as it was left, and its links keep their names', async () => {
  const { user, unmount } = await open()
  await user.click(screen.getByRole('button', { name: 'Collapse the menu' }))
  expect(screen.getByRole('link', { name: 'Usage log' })).toBeTruthy()
  unmount()
  await open()
  expect(screen.getByRole('button', { name: 'Expand the menu' })).toBeTruthy()
})

test('guests are offered to sign in, and no menu', async () => {
  await open()
  storedUser.clear()
  expect(await screen.findByRole('link', { name: 'Log in' })).toBeTruthy()
  expect(screen.queryByRole('navigation', { name: 'Main menu' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Search or go to' })).toBeNull()
})

test('on phones both bars are behind one button; channels are for administrators', async () => {
  const { unmount } = await renderConsole(<PhoneMenu onClose={() => {}} />)
  expect(await screen.findByRole('link', { name: 'Pricing' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Channels' })).toBeNull()
  unmount()
  await renderConsole(<PhoneMenu onClose={() => {}} />, { user: { role: 10 } })
  expect(await screen.findByRole('link', { name: 'Channels' })).toBeTruthy()
})

test('the language changes at once and is remembered', async () => {
  const { user } = await open()
  await user.click(screen.getByRole('button', { name: 'Language' }))
  await user.click(await screen.findByRole('menuitem', { name: '中文' }))
  expect(await screen.findByRole('link', { name: '使用日志' })).toBeTruthy()
})
