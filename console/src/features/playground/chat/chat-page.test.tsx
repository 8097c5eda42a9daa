import { afterEach, expect, spyOn, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { aSite } from '../../../../test/factories'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { aToken } from '../../../../test/token-factory'
import { ChatLinkPage } from './chat-link-page'
import { ChatPage } from './chat-page'
import { ChatSearch } from '../playground-search'

const pageOf = (items: readonly object[]) => ({ items, page: 0, page_size: 100, total: items.length })
const site = { ...aSite(), server_address: 'https://gate.example' }
const chats: Record<string, string>[] = [
  { Elsewhere: 'https://chat.example/#/?key={key}&url={address}' },
  { Here: 'http://console.test/own?key={key}' },
  { Broken: 'javascript:alert(1)' },
  { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
]
const chatAt = (id: string) => ({
  address: `/chat/${id}`,
  path: '/chat/{-$id}',
  validateSearch: (search: Record<string, unknown>) => ChatSearch.parse(search),
  site: { ...site, chats },
})

const tokens = [
  aToken({ id: 1, key: 'off', status: 2 }),
  aToken({ id: 2, name: 'main', key: 'works' }),
  aToken({ id: 3, name: 'small', key: 'small' }),
]
const agreeButton = { name: 'Agree and open' }

afterEach(() => localStorage.removeItem('chat-sites'))

test('a chat page whose site hides keys asks for the key first, and for the receiver then', async () => {
  const hidden = aToken({ id: 2, name: 'main', key: `${'*'.repeat(44)}orks` })
  const calls = serve({
    'GET /api/token': () => pageOf([hidden]),
    'POST /api/token/2/key': () => ({ key: 'works' }),
  })
  const { user } = await renderConsole(<ChatPage />, chatAt('0'))
  expect(await screen.findByText('The key of the token “main” is hidden')).toBeTruthy()
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Confirm' }))
  await user.click(await screen.findByRole('button', agreeButton))
  const frame = await screen.findByTitle('Elsewhere')
  expect(frame.getAttribute('src')).toContain('key=sk-works')
})

test('a site gets the key of the first enabled token after one confirmation, which names the receiver', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  const { user, container, unmount } = await renderConsole(<ChatPage />, chatAt('0'))
  expect(await screen.findByText('Give a key to https://chat.example?')).toBeTruthy()
  expect(screen.getByText(/the site https:\/\/chat.example receives the key of the token “main”/)).toBeTruthy()
  expect(container.innerHTML).not.toContain('sk-works')
  await user.click(screen.getByRole('button', agreeButton))
  const frame = await screen.findByTitle('Elsewhere')
  expect(frame.getAttribute('src')).toBe('https://chat.example/#/?key=sk-works&url=https%3A%2F%2Fgate.example')
  expect(frame.getAttribute('sandbox')).toContain('allow-same-origin')
  expect(frame.getAttribute('referrerpolicy')).toBe('no-referrer')
  unmount()
  await renderConsole(<ChatPage />, chatAt('0'))
  expect(await screen.findByTitle('Elsewhere')).toBeTruthy()
})

test('a site that does not load can be reloaded or opened in a tab of its own', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  const { user } = await renderConsole(<ChatPage />, chatAt('0'))
  await user.click(await screen.findByRole('button', agreeButton))
  const frame = await screen.findByTitle('Elsewhere')
  expect(document.title).toBe('Elsewhere · Tollgate')
  const link = screen.getByRole('link', { name: 'Open in a new tab' })
  expect(link.getAttribute('href')).toBe(frame.getAttribute('src'))
  expect(link.getAttribute('rel')).toBe('noreferrer')
  await user.click(screen.getByRole('button', { name: 'Reload the page' }))
  expect(await screen.findByTitle('Elsewhere')).not.toBe(frame)
})

test('a confirmation for a site counts only for the user who gave it', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  const { user, unmount } = await renderConsole(<ChatPage />, chatAt('0'))
  await user.click(await screen.findByRole('button', agreeButton))
  unmount()
  await renderConsole(<ChatPage />, { ...chatAt('0'), user: { id: 4711 } })
  expect(await screen.findByRole('button', agreeButton)).toBeTruthy()
})

test('a token given by id is used', async () => {
  serve({ 'GET /api/token/3': () => tokens[2] })
  const { user } = await renderConsole(<ChatPage />, { ...chatAt('0'), address: '/chat/0?token=3' })
  expect(await screen.findByText(/the key of the token “small”/)).toBeTruthy()
  await user.click(screen.getByRole('button', agreeButton))
  expect((await screen.findByTitle('Elsewhere')).getAttribute('src')).toContain('key=sk-small')
})

test('a given token that is disabled is not replaced by another', async () => {
  serve({ 'GET /api/token/1': () => tokens[0], 'GET /api/token': () => pageOf(tokens) })
  const { container } = await renderConsole(<ChatPage />, { ...chatAt('0'), address: '/chat/0?token=1' })
  expect(await screen.findByText(/please check that a token is enabled/)).toBeTruthy()
  expect(container.innerHTML).not.toContain('sk-')
})

test('an app is opened by a click on its link', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  await renderConsole(<ChatPage />, chatAt('3'))
  const link = await screen.findByRole('link', { name: 'Open OpenCat' })
  expect(link.getAttribute('href')).toBe('opencat://team/join?domain=https%3A%2F%2Fgate.example&token=sk-works')
})

test('the default entry is the first page, not an app before it', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  const app = { OpenCat: 'opencat://team/join?token={key}' }
  await renderConsole(<ChatPage />, { ...chatAt(''), site: { ...site, chats: [app, ...chats] } })
  expect(await screen.findByText('Give a key to https://chat.example?')).toBeTruthy()
})

test('a page of our own origin is sandboxed, since its scripts would reach the console', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  await renderConsole(<ChatPage />, chatAt('1'))
  expect((await screen.findByTitle('Here')).getAttribute('sandbox')).not.toContain('allow-same-origin')
})

test.each(['2', '9', 'x'])('entry %s must not be opened by a browser, and the page says so', async (id) => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  const { container } = await renderConsole(<ChatPage />, { ...chatAt(id), language: 'zh' })
  expect(await screen.findByRole('heading', { name: '聊天链接配置错误，请联系管理员' })).toBeTruthy()
  expect(screen.getByRole('link', { name: '前往令牌页面' }).getAttribute('href')).toBe('/app/tokens')
  expect(document.title).toBe('聊天链接配置错误，请联系管理员 · Tollgate')
  expect(container.querySelector('iframe')).toBeNull()
})

test('an administrator is not told to contact the administrator', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  await renderConsole(<ChatPage />, { ...chatAt('2'), user: { role: 10 } })
  expect(await screen.findByText(/check the entry in the option “Chats”/)).toBeTruthy()
})

test('a reader without an enabled token is redirected to the tokens with an explanation', async () => {
  serve({ 'GET /api/token': () => pageOf([tokens[0] ?? {}]) })
  const { router } = await renderConsole(<ChatLinkPage />, { address: '/chat2link', site: { ...site, chats } })
  expect(await screen.findByText(/please check that a token is enabled/)).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/tokens'), { timeout: 4_000 })
})

test('reading the tokens can be retried', async () => {
  let tries = 0
  serve({
    'GET /api/token': () => ((tries += 1) === 1 ? new Refusal('db.error', 'The database is away') : pageOf(tokens)),
  })
  const { user } = await renderConsole(<ChatPage />, chatAt('0'))
  expect(await screen.findByText('The database is away')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', agreeButton)).toBeTruthy()
})

test('the short link redirects to the first chat page', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  const left = spyOn(location, 'replace').mockImplementation(() => {})
  const { user } = await renderConsole(<ChatLinkPage />, { address: '/chat2link', site: { ...site, chats } })
  await user.click(await screen.findByRole('button', agreeButton))
  await waitFor(() =>
    expect(left).toHaveBeenCalledWith('https://chat.example/#/?key=sk-works&url=https%3A%2F%2Fgate.example'),
  )
  left.mockRestore()
})
