import { expect, spyOn, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'

import { anInboxMessage } from '../../../../test/message-factory'
import { renderConsole } from '../../../../test/render'
import { Refusal, serve } from '../../../../test/server'
import { untilGone } from '../../../../test/until-gone'
import { InboxPage } from './inbox-page'
import { InboxSearch } from './inbox-search'
import { MessagePage } from './message-page'

const pageOf = (items: readonly object[]) => ({ items, page: 1, page_size: 10, total: items.length })

const openList = async (responses: Parameters<typeof serve>[0], language: 'zh' | 'en' = 'en') => {
  const calls = serve({ 'GET /api/user/messages/unread_count': () => ({ unread_count: 1 }), ...responses })
  const view = await renderConsole(<InboxPage />, {
    address: '/app/inbox',
    path: '/app/inbox',
    validateSearch: (search) => InboxSearch.parse(search),
    language,
  })
  return { ...view, calls }
}

const openMessage = async (responses: Parameters<typeof serve>[0], language: 'zh' | 'en' = 'en') => {
  const calls = serve({ 'GET /api/user/messages/unread_count': () => ({ unread_count: 0 }), ...responses })
  const view = await renderConsole(<MessagePage />, { address: '/app/inbox_/7', path: '/app/inbox_/$id', language })
  return { ...view, calls }
}

test('the list shows a preview, the time, and a mark for unread messages', async () => {
  const long = anInboxMessage({
    id: 8,
    title: 'Long',
    content: `<p>${'word '.repeat(40)}</p>`,
    format: 'html',
    is_read: true,
  })
  await openList({ 'GET /api/user/messages': () => pageOf([anInboxMessage(), long]) })
  const [unread, read] = (await screen.findAllByRole('row')).slice(1)
  expect(unread?.textContent).toContain('Unread')
  expect(unread?.textContent).toContain('We update the gateway between 02:00 and 03:00.')
  expect(unread?.textContent).toContain('2025-11-18')
  expect(read?.textContent).not.toContain('Unread')
  expect(read?.textContent).toContain(`${'word '.repeat(40).slice(0, 97)}...`)
  expect(screen.getByText('1 unread')).toBeTruthy()
})

test('the page size of messages is stored separately', async () => {
  localStorage.setItem('page-size', '100')
  localStorage.setItem('message-page-size', '20')
  const { calls, user } = await openList({ 'GET /api/user/messages': () => pageOf([anInboxMessage()]) })
  await screen.findByText('Maintenance on Sunday')
  expect(calls.find(({ path }) => path === '/api/user/messages')?.query['page_size']).toBe('20')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '50')
  await waitFor(() => expect(localStorage.getItem('message-page-size')).toBe('50'))
  expect(localStorage.getItem('page-size')).toBe('100')
})

test('all messages are marked as read at once', async () => {
  let unread = 1
  const { user } = await openList({
    'GET /api/user/messages/unread_count': () => ({ unread_count: unread }),
    'GET /api/user/messages': () => pageOf([anInboxMessage({ is_read: unread === 0 })]),
    'PUT /api/user/messages/read_all': () => {
      unread = 0
      return 1
    },
  })
  await screen.findByText('1 unread')
  const markAll = screen.getByRole<HTMLButtonElement>('button', { name: 'Mark all as read' })
  await user.click(markAll)
  await untilGone(() => screen.queryByText('Unread'))
  await waitFor(() => expect(markAll.disabled).toBe(true))
})

test('a list that cannot be loaded says so', async () => {
  await openList({ 'GET /api/user/messages': () => new Refusal('db.error', 'Away') }, 'zh')
  expect(await screen.findByText('加载消息失败')).toBeTruthy()
})

test('a row opens its message', async () => {
  const { user, router } = await openList({ 'GET /api/user/messages': () => pageOf([anInboxMessage()]) })
  const row = await screen.findByRole('row', { name: /Maintenance/ })
  row.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/inbox/7'))
})

test('an opened message is marked as read in the browser at once, even if the server is unreachable', async () => {
  const logged = spyOn(console, 'error').mockImplementation(() => {})
  const { calls, queryClient } = await openMessage({
    'GET /api/user/messages/7': () => anInboxMessage(),
    'PUT /api/user/messages/7/read': () => new Refusal('db.error', 'Away'),
  })
  const article = within(await screen.findByRole('article'))
  expect((await article.findByText('between 02:00 and 03:00')).tagName).toBe('STRONG')
  expect(article.getByRole('heading', { name: 'Maintenance on Sunday' })).toBeTruthy()
  await waitFor(() => expect(logged).toHaveBeenCalledTimes(1))
  logged.mockRestore()
  expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  expect(queryClient.getQueriesData({ queryKey: ['/api/user/messages/{id}'] })[0]?.[1]).toMatchObject({ is_read: true })
  expect(screen.queryByText('Away')).toBeNull()
})

test('a read message is not marked again, and one of the gateway itself says so', async () => {
  const { calls } = await openMessage({
    'GET /api/user/messages/7': () => anInboxMessage({ is_read: true, read_at: 1, is_system: true }),
  })
  await screen.findByRole('article')
  expect(screen.getByText(/· Sent automatically$/)).toBeTruthy()
  expect(calls.filter(({ method }) => method === 'PUT')).toEqual([])
})

test.each([
  ['message.none', 'zh', '消息不存在'],
  ['message.not_yours', 'en', 'This message does not exist'],
] as const)('%s leads back to the list', async (code, language, sentence) => {
  const { router } = await openMessage({ 'GET /api/user/messages/7': () => new Refusal(code, 'No') }, language)
  expect(await screen.findByText(sentence)).toBeTruthy()
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/inbox'))
})

test('a message deleted while it is open also leads back', async () => {
  let isThere = true
  const { router, queryClient } = await openMessage({
    'GET /api/user/messages/7': () => (isThere ? anInboxMessage({ is_read: true }) : new Refusal('message.none', 'No')),
  })
  await screen.findByRole('article')
  isThere = false
  await queryClient.invalidateQueries({ queryKey: ['/api/user/messages/{id}'] })
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/inbox'))
})

test('loading a message can be retried', async () => {
  let isAway = true
  const { user } = await openMessage(
    {
      'GET /api/user/messages/7': () => (isAway ? new Refusal('db.error', 'Away') : anInboxMessage({ is_read: true })),
    },
    'zh',
  )
  await screen.findByText('加载消息失败')
  isAway = false
  await user.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByRole('article')).toBeTruthy()
})
