import { expect, test } from 'bun:test'
import { screen, waitFor, within } from '@testing-library/react'

import { aMessage } from '../../../test/message-factory'
import { renderConsole } from '../../../test/render'
import { Refusal, serve } from '../../../test/server'
import { MessagesPage } from './messages-page'
import { MessagesSearch } from './message-search'

const pageOf = (items: readonly object[], total = items.length) => ({ items, page: 1, page_size: 10, total })
const people = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) => ({ id: from + at, username: `user-${from + at}`, display_name: '' }))

interface OpenOptions extends NonNullable<Parameters<typeof renderConsole>[1]> {
  readonly search?: string
}

async function open(responses: Parameters<typeof serve>[0] = {}, { search = '', ...options }: OpenOptions = {}) {
  const calls = serve({
    'GET /api/admin/messages': () => pageOf([aMessage(), aMessage({ id: 6, title: 'Prices', format: 'html' })]),
    'GET /api/admin/messages/7': () => aMessage(),
    'GET /api/admin/messages/7/recipients': () => pageOf([]),
    'GET /api/user': ({ query }) => pageOf(query['p'] === '1' ? people(2) : people(1, 21), 25),
    ...responses,
  })
  const view = await renderConsole(<MessagesPage />, {
    address: `/admin/messages${search}`,
    path: '/admin/messages',
    validateSearch: (found) => MessagesSearch.parse(found),
    user: { role: 100 },
    ...options,
  })
  const bodiesOf = (method: string, path: string) =>
    calls.filter((call) => call.method === method && call.path === path).map(({ body }) => body)
  return { ...view, calls, bodiesOf }
}

async function openNew(responses: Parameters<typeof serve>[0] = {}, options: OpenOptions = {}) {
  const view = await open(
    { 'GET /api/admin/messages': () => pageOf([]), ...responses },
    { search: '?edit=new', ...options },
  )
  const drawer = within(await screen.findByRole('dialog'))
  const write = async () => {
    await view.user.type(drawer.getByRole('textbox', { name: 'Title' }), ' Sale ')
    await view.user.type(drawer.getByRole('textbox', { name: 'Content' }), ' Half the price ')
  }
  const choose = (kind: string) => view.user.selectOptions(drawer.getByRole('combobox', { name: 'Recipients' }), kind)
  const send = () => view.user.click(drawer.getByRole('button', { name: 'Send' }))
  return { ...view, drawer, write, choose, send }
}

test('the list has the specification’s columns and colours of formats', async () => {
  await open()
  await screen.findByText('Prices')
  const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(titles).toEqual(['ID', 'Title', 'Format', 'Recipients', 'Created', 'Actions'])
  const colourOf = (format: string) =>
    screen
      .getByText(format)
      .closest('.mantine-Badge-root')
      ?.getAttribute('style')
      ?.includes(format === 'HTML' ? 'blue' : 'green')
  expect([colourOf('HTML'), colourOf('Markdown')]).toEqual([true, true])
  expect(screen.getByText('Items 1 - 2 of 2')).toBeTruthy()
})

test('the page is closed to users, who are led to the first page', async () => {
  const { router, calls } = await open({}, { user: { role: 1 } })
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(calls).toEqual([])
})

test('a keyword and a range are searched for, the range with both ends', async () => {
  const { calls, user } = await open(
    { 'GET /api/admin/messages/search': () => pageOf([]) },
    { search: '?keyword=sale&from=1700000000&to=1700086400' },
  )
  await screen.findByText('No results match your filters')
  const searches = () => calls.filter(({ path }) => path === '/api/admin/messages/search')
  expect(searches()[0]?.query).toMatchObject({
    keyword: 'sale',
    start_date: '2023-11-14T22:13:20.000Z',
    end_date: '2023-11-15T22:13:20.000Z',
    p: '1',
  })
  expect(calls.some(({ path }) => path === '/api/admin/messages')).toBe(false)
  await user.click(screen.getByRole('button', { name: 'Search' }))
  await waitFor(() => expect(searches().length).toBe(2))
})

test('deleting asks with the specification’s text', async () => {
  const { user, bodiesOf } = await open({ 'DELETE /api/admin/messages/7': () => undefined })
  await user.click(await screen.findByRole('button', { name: 'Delete: Maintenance on Sunday' }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText('Delete this message? This removes the message and all users’ receipt records, irreversible')
  await user.click(dialog.getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('Message deleted successfully')).toBeTruthy()
  expect(bodiesOf('DELETE', '/api/admin/messages/7')).toHaveLength(1)
})

test('a message without title, content or recipients is not sent', async () => {
  const { drawer, user, calls } = await openNew({}, { language: 'zh' })
  await user.click(drawer.getByRole('button', { name: '发送' }))
  for (const fault of ['请输入消息标题', '请输入消息内容', '请选择至少一个收件人']) await drawer.findByText(fault)
  expect(calls.some(({ method }) => method === 'POST')).toBe(false)
})

test('users are selected across pages, removed again, and sent a trimmed message', async () => {
  const { drawer, user, write, send, bodiesOf } = await openNew({ 'POST /api/admin/messages': () => aMessage() })
  await write()
  await user.click(await drawer.findByRole('checkbox', { name: 'Select this page' }))
  expect(drawer.getByText('2 users selected')).toBeTruthy()
  await user.click(drawer.getByRole('checkbox', { name: 'Select this page' }))
  await user.click(drawer.getByRole('checkbox', { name: 'user-1 #1' }))
  await user.click(drawer.getByRole('checkbox', { name: 'user-2 #2' }))
  await user.click(drawer.getByRole('button', { name: 'Next page' }))
  await user.click(await drawer.findByRole('checkbox', { name: 'user-21 #21' }))
  expect(drawer.getByText('Items 21 - 25 of 25')).toBeTruthy()
  await user.click(drawer.getByRole('button', { name: 'Remove user-1' }))
  await send()
  expect(await screen.findByText('Message created successfully')).toBeTruthy()
  expect(bodiesOf('POST', '/api/admin/messages')).toEqual([
    { title: 'Sale', content: 'Half the price', format: 'markdown', user_ids: [2, 21] },
  ])
})

test('a search in the picker requests 20 users, and Enter does not send the message', async () => {
  const { drawer, user, write, calls, bodiesOf } = await openNew({
    'GET /api/user/search': () => pageOf(people(1, 40)),
  })
  await write()
  await user.click(await drawer.findByRole('checkbox', { name: 'user-1 #1' }))
  await user.type(drawer.getByRole('textbox', { name: /^Search username/ }), 'user-40{Enter}')
  expect(await drawer.findByRole('checkbox', { name: 'user-40 #40' })).toBeTruthy()
  const search = calls.find(({ path }) => path === '/api/user/search')
  expect(search?.query).toEqual({ keyword: 'user-40', p: '1', page_size: '20' })
  expect(bodiesOf('POST', '/api/admin/messages')).toEqual([])
})

test('a message to all users is confirmed with their number, and can be mailed too', async () => {
  const { drawer, user, write, choose, send, bodiesOf } = await openNew(
    {
      'GET /api/admin/messages/audience': () => ({ count: 1234, with_mail: 1200, can_mail: true }),
      'POST /api/admin/messages': () => aMessage(),
    },
    { site: { mail_enabled: true } },
  )
  await write()
  await choose('All users')
  expect(await drawer.findByText('1,234 users will get this message.')).toBeTruthy()
  await user.click(drawer.getByRole('checkbox', { name: 'Send a copy by email' }))
  expect(drawer.getByText('1,200 of them have an email address.')).toBeTruthy()
  await send()
  const dialog = within(await screen.findByRole('dialog', { name: 'Send to all users?' }))
  expect(bodiesOf('POST', '/api/admin/messages')).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Send' }))
  await screen.findByText('Message created successfully')
  expect(bodiesOf('POST', '/api/admin/messages')).toEqual([
    { title: 'Sale', content: 'Half the price', format: 'markdown', audience: { kind: 'all' }, send_mail: true },
  ])
})

test('a role can be counted and sent a message', async () => {
  const { drawer, user, write, choose, send, calls, bodiesOf } = await openNew({
    'GET /api/admin/messages/audience': () => ({ count: 3, with_mail: 0, can_mail: false }),
    'POST /api/admin/messages': () => new Refusal('message.audience_empty', 'No user matches'),
  })
  await write()
  await choose('Users with a role')
  await user.selectOptions(drawer.getByRole('combobox', { name: 'Role' }), 'Admin')
  await waitFor(() =>
    expect(calls.filter(({ path }) => path.endsWith('/audience')).at(-1)?.query).toEqual({ kind: 'role', role: '10' }),
  )
  expect(drawer.getByRole<HTMLInputElement>('checkbox', { name: 'Send a copy by email' }).disabled).toBe(true)
  await send()
  expect(await drawer.findByText('No user matches')).toBeTruthy()
  expect(bodiesOf('POST', '/api/admin/messages')).toMatchObject([{ audience: { kind: 'role', role: 10 } }])
})

test('a preview shows the rendered message', async () => {
  const { drawer, user } = await openNew()
  await user.type(drawer.getByRole('textbox', { name: 'Content' }), '**Half** the price')
  await user.click(drawer.getByRole('radio', { name: 'Preview' }))
  const preview = within(drawer.getByRole('region', { name: 'Preview' }))
  expect((await preview.findByText('Half')).tagName).toBe('STRONG')
})

test('a sent message is edited beside its details and recipients, ten per page', async () => {
  const { user, calls, bodiesOf } = await open(
    {
      'GET /api/admin/messages': () => pageOf([]),
      'GET /api/admin/messages/7/recipients': ({ query }) =>
        pageOf(
          [{ user_id: 2, username: 'mei', display_name: 'Mei', read_at: query['p'] === '1' ? null : 1_700_000_000 }],
          57,
        ),
      'PUT /api/admin/messages/7': () => aMessage(),
    },
    { search: '?edit=7' },
  )
  await screen.findByText('12 of 57 (21.1%)')
  const drawer = within(screen.getByRole('dialog', { name: 'Edit message' }))
  const table = within(await drawer.findByRole('table', { name: 'Recipients' }))
  expect(table.getByText('Unread')).toBeTruthy()
  expect(drawer.getByText('Items 1 - 10 of 57')).toBeTruthy()
  await user.click(drawer.getByRole('button', { name: 'Next page' }))
  await waitFor(() => expect(table.getByText(/^2023-11-1/)).toBeTruthy())
  const requests = calls.filter(({ path }) => path.endsWith('/recipients')).map(({ query }) => query)
  expect(requests).toEqual([
    { p: '1', page_size: '10' },
    { p: '2', page_size: '10' },
  ])
  await user.type(drawer.getByRole('textbox', { name: 'Title' }), ' !  ')
  await user.click(drawer.getByText('HTML', { selector: 'label *, label' }))
  await user.click(drawer.getByRole('button', { name: 'Update message' }))
  expect(await screen.findByText('Message updated successfully')).toBeTruthy()
  expect(bodiesOf('PUT', '/api/admin/messages/7')).toEqual([
    { title: 'Maintenance on Sunday !', content: aMessage().content, format: 'html' },
  ])
})

test('readers without write access see a message and its recipients read-only', async () => {
  await open({}, { search: '?edit=7', grants: ['messages.read'] })
  await screen.findByText('12 of 57 (21.1%)')
  const drawer = within(screen.getByRole('dialog', { name: 'View message' }))
  expect(drawer.getByRole('textbox', { name: 'Title' }).closest('fieldset')?.disabled).toBe(true)
  expect(drawer.queryByRole('button', { name: 'Update message' })).toBeNull()
  expect(drawer.getByRole('combobox', { name: 'Which recipients to show' }).closest('fieldset')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Create message' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull()
})
