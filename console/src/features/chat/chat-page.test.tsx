import { expect, spyOn, test } from 'bun:test'
import { screen, waitFor } from '@testing-library/react'

import { aSite } from '../../../test/factories'
import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { aToken } from '../../../test/token-factory'
import { ChatLinkPage } from './chat-link-page'
import { ChatPage } from './chat-page'

const pageOf = (items: readonly object[]) => ({ items, page: 0, page_size: 100, total: items.length })
const site = { ...aSite(), server_address: 'https://gate.example' }
const chats: Record<string, string>[] = [
  { Elsewhere: 'https://chat.example/#/?key={key}&url={address}' },
  { Here: 'http://console.test/own?key={key}' },
  { Broken: 'javascript:alert(1)' },
]
const chatAt = (id: string) => ({ address: `/chat/${id}`, path: '/chat/{-$id}', site: { ...site, chats } })

const tokens = [aToken({ id: 1, key: 'off', status: 2 }), aToken({ id: 2, key: 'works' })]

test('the chat page gets the key of the first token that works, and the gateway’s address', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  await renderConsole(<ChatPage />, chatAt('0'))
  const frame = await screen.findByTitle('Elsewhere')
  expect(frame.getAttribute('src')).toBe('https://chat.example/#/?key=sk-works&url=https%3A%2F%2Fgate.example')
  expect(frame.getAttribute('sandbox')).toContain('allow-same-origin')
  expect(frame.getAttribute('referrerpolicy')).toBe('no-referrer')
})

test('a page of our own origin gets none: its scripts would reach the console', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  await renderConsole(<ChatPage />, chatAt('1'))
  expect((await screen.findByTitle('Here')).getAttribute('sandbox')).not.toContain('allow-same-origin')
})

test.each(['2', '9', 'x'])('entry %s is none a browser may open, and that is said', async (id) => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  const { container } = await renderConsole(<ChatPage />, { ...chatAt(id), language: 'zh' })
  expect(await screen.findByText('聊天链接配置错误，请联系管理员')).toBeTruthy()
  expect(container.querySelector('iframe')).toBeNull()
})

test('without a token that works one is told so and taken to the tokens', async () => {
  serve({ 'GET /api/token': () => pageOf([tokens[0] ?? {}]) })
  const { router } = await renderConsole(<ChatLinkPage />, { address: '/chat2link', site: { ...site, chats } })
  expect(await screen.findByText(/please check that a token is enabled/)).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/tokens'), { timeout: 4_000 })
})

test('tokens that cannot be read can be asked for again', async () => {
  let tries = 0
  serve({
    'GET /api/token': () => ((tries += 1) === 1 ? new Refusal('db.error', 'The database is away') : pageOf(tokens)),
  })
  const { user } = await renderConsole(<ChatPage />, chatAt('0'))
  expect(await screen.findByText('The database is away')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByTitle('Elsewhere')).toBeTruthy()
})

test('the short link leaves for the first chat page', async () => {
  serve({ 'GET /api/token': () => pageOf(tokens) })
  const left = spyOn(location, 'replace').mockImplementation(() => {})
  await renderConsole(<ChatLinkPage />, { address: '/chat2link', site: { ...site, chats } })
  await waitFor(() =>
    expect(left).toHaveBeenCalledWith('https://chat.example/#/?key=sk-works&url=https%3A%2F%2Fgate.example'),
  )
  left.mockRestore()
})
