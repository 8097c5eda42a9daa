import { expect, test } from 'bun:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'

import { renderConsole } from '../../../../test/render'
import { serve } from '../../../../test/server'
import { storedUser } from '../../../lib/api/session'
import { Shell } from '../shell'
import { Palette } from './palette'

const pageOf = (items: readonly object[]) => ({ items, page: 1, page_size: 5, total: items.length })
const requestId = '01HZX3S9Q0ABCDEFGHJKMNPQRS'
const responses = {
  'GET /api/token/search': () => pageOf([]),
  'GET /api/channel/search': () => pageOf([]),
  'GET /api/user/search': () => pageOf([]),
  'GET /api/user/models': () => ['gpt-4o', 'gpt-4o-mini', 'o3-mini'],
}
const noUser = { id: 0, username: '', display_name: '' }

type Options = Parameters<typeof renderConsole>[1]

const ignore = () => {}

const open = async (more: Parameters<typeof serve>[0] = {}, options: Options = {}) => {
  const calls = serve({ ...responses, ...more })
  const palette = <Palette onClose={ignore} onShortcuts={ignore} />
  const view = await renderConsole(palette, { address: '/app/tokens', ...options })
  return { ...view, calls, ...(await readPalette()) }
}

async function readPalette() {
  const dialog = await screen.findByRole('dialog')
  return { dialog: within(dialog), field: await within(dialog).findByRole('textbox') }
}

/** Opens the palette where readers do. */
async function callPalette() {
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  return readPalette()
}

test('a page is found by its name', async () => {
  const { user, router, field, dialog } = await open()
  await user.type(field, 'usage')
  await user.click(await dialog.findByRole('button', { name: 'Usage log' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/logs/api-usage'))
})

test.each(['logout', 'tuichu', '退出', 'sign out'])('signing out is found as %s', async (typed) => {
  const { user, field, dialog } = await open({ 'POST /api/user/logout': () => undefined })
  await user.type(field, typed)
  await dialog.findByRole('button', { name: 'Log out' })
  await user.keyboard('{Enter}')
  await waitFor(() => expect(storedUser.get()).toBeNull())
})

test('a model links to its price', async () => {
  const { user, router, field, dialog } = await open()
  await user.type(field, 'GPT-4o-m')
  await user.click(await dialog.findByRole('button', { name: 'gpt-4o-mini' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/pricing'))
  expect(router.state.location.search).toMatchObject({ keyword: 'gpt-4o-mini' })
})

test('tokens are found by name; users and channels are not searched when viewing as a user', async () => {
  const { user, calls, field, dialog } = await open({
    'GET /api/token/search': () => pageOf([{ id: 7, name: 'Web shop' }]),
  })
  await user.type(field, 'web')
  expect(await dialog.findByText('Web shop')).toBeTruthy()
  const requests = new Set(calls.map(({ path }) => path))
  expect([...requests].filter((path) => /channel|user\/search|option/.test(path))).toEqual([])
})

test('administrators find users and open their calls', async () => {
  const mei = { ...noUser, id: 4, username: 'mei.chen', display_name: 'Mei Chen' }
  const { user, router, field, dialog } = await open(
    { 'GET /api/user/search': ({ query }) => pageOf(query['keyword'] === 'mei' ? [mei] : []) },
    { user: { role: 10 } },
  )
  await user.type(field, 'mei')
  await user.click(await dialog.findByRole('button', { name: /mei\.chen/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/logs/api-usage'))
  expect(router.state.location.search).toMatchObject({ username: 'mei.chen' })
})

test.each(['RetryTimes', 'retries', 'more attempts'])('an option is found as %s', async (typed) => {
  const { user, router, field, dialog } = await open({}, { user: { role: 100 } })
  await user.type(field, typed)
  await user.click(await dialog.findByRole('button', { name: /RetryTimes/ }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/admin/settings'))
  expect(router.state.location.search).toMatchObject({ page: 'routing', keyword: 'RetryTimes' })
})

test('a request id links to its log entry', async () => {
  const searchLogs = ({ query }: { readonly query: Readonly<Record<string, string>> }) =>
    pageOf(query['request_id'] === requestId ? [{ id: 93, model_name: 'gpt-4o' }] : [])
  const { user, router, field, dialog } = await open({ 'GET /api/log/self': searchLogs })
  await user.click(field)
  await user.paste(` ${requestId.toLowerCase()} `)
  await dialog.findByRole('button', { name: new RegExp(requestId) })
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.search).toMatchObject({ request: requestId, open: 93 }))
})

test('the last choices come first, for the reader who made them', async () => {
  const view = await open({ 'GET /api/token/search': () => pageOf([{ id: 7, name: 'Web shop' }]) })
  await view.user.type(view.field, 'web')
  await view.user.click(await view.dialog.findByRole('button', { name: /Web shop/ }))
  view.unmount()
  const again = await open()
  expect(again.dialog.getAllByRole('button')[0]?.textContent).toContain('Web shop')
  again.unmount()
  const other = await open({}, { user: { id: 2, username: 'bob' } })
  expect(other.dialog.queryByText('Web shop')).toBeNull()
})

test('the palette says that nothing was found only after the server has responded', async () => {
  let release = () => {}
  const slow = new Promise<void>((done) => {
    release = done
  })
  const { user, field, dialog } = await open({
    'GET /api/token/search': async () => {
      await slow
      return pageOf([])
    },
  })
  await user.type(field, 'zzz')
  expect(await dialog.findByText('Searching…')).toBeTruthy()
  release()
  expect(await dialog.findByText('Nothing found')).toBeTruthy()
})

test('administrators start a test of all channels', async () => {
  const { user, calls, field, dialog } = await open(
    { 'GET /api/channel/test': () => undefined },
    { user: { role: 10 } },
  )
  await user.type(field, 'test all')
  await user.click(await dialog.findByRole('button', { name: /Test all channels/ }))
  expect(await screen.findByText('The test of all channels has started')).toBeTruthy()
  expect(calls.some(({ path }) => path === '/api/channel/test')).toBe(true)
})

test('the palette is called by its keys and shows the others', async () => {
  serve(responses)
  const { user } = await renderConsole(<Shell />, { address: '/app/tokens' })
  const { field, dialog } = await callPalette()
  await user.type(field, '快捷键')
  await user.click(await dialog.findByRole('button', { name: 'Keyboard shortcuts' }))
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeTruthy()
})
