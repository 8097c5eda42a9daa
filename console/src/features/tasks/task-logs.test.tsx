import { expect, jest, test } from 'bun:test'
import { act, screen, waitFor, within } from '@testing-library/react'
import { daySeconds, type Grant, type statusRoutes } from '@tollgate/contract'

import { renderConsole } from '../../../test/render'
import { Refusal, serve, type RecordedCall } from '../../../test/server'
import { aDrawing, aSong } from '../../../test/task-factories'
import { takeDraft } from '../../lib/url/playground-draft'
import { DrawingsPage } from './drawings-page'
import { TaskSearch } from './task-search'
import { TasksPage } from './tasks-page'

const pageOf = (items: readonly object[], total = items.length) => ({
  items,
  page: 0,
  page_size: 10,
  total,
  total_is_lower_bound: false,
})

interface Opened {
  readonly search?: string
  readonly role?: number
  readonly grants?: readonly Grant[]
  readonly site?: Partial<statusRoutes.SiteStatus>
}

const pages = {
  '/app/logs/drawing': <DrawingsPage />,
  '/app/logs/tasks': <TasksPage />,
}

async function open(path: keyof typeof pages, responses: Parameters<typeof serve>[0], opened: Opened = {}) {
  const calls = serve(responses)
  const view = await renderConsole(pages[path], {
    address: path + (opened.search ?? ''),
    path,
    validateSearch: (search) => TaskSearch.parse(search),
    user: { role: opened.role ?? 1 },
    grants: opened.grants,
    site: opened.site,
  })
  return { ...view, calls, address: () => view.router.state.location.search }
}

const requests = (calls: readonly RecordedCall[], path: string) =>
  calls.filter((call) => call.path === path && call.query['ids'] === undefined).map(({ query }) => query)
const midnight = () => new Date().setHours(0, 0, 0, 0) / 1000

test('the drawing log asks for the last 30 days in milliseconds, from page 0', async () => {
  const { calls } = await open('/app/logs/drawing', { 'GET /api/mj/self': () => pageOf([aDrawing()]) })
  await screen.findByText('a kite over the harbour')
  const [query = {}] = requests(calls, '/api/mj/self')
  const [from, to] = [Number(query['start_timestamp']) / 1000, Number(query['end_timestamp']) / 1000]
  expect(query).toMatchObject({ p: '0', page_size: '20' })
  expect(to - from).toBe(30 * daySeconds + 3600)
  expect(Math.abs(to - 3600 - Date.now() / 1000)).toBeLessThan(60)
})

test('the task log asks for today in seconds', async () => {
  const { calls } = await open('/app/logs/tasks', { 'GET /api/task/self': () => pageOf([aSong()]) })
  await screen.findByText('song-1')
  expect(Number(requests(calls, '/api/task/self')[0]?.['start_timestamp'])).toBe(midnight())
})

test('administrators filter by channel and user, and see the result of the submission', async () => {
  const { calls } = await open(
    '/app/logs/drawing',
    { 'GET /api/mj': () => pageOf([aDrawing({ code: 22 })]) },
    { role: 10, search: '?channel=3&username=mei&range=all' },
  )
  expect(await screen.findByText('Submitted twice')).toBeTruthy()
  expect(screen.getByText('Studio')).toBeTruthy()
  expect(requests(calls, '/api/mj')).toEqual([{ p: '0', page_size: '20', channel_id: '3', username: 'mei' }])
})

test('images and responses made in the background are found by their action', async () => {
  const { user, address } = await open('/app/logs/tasks', { 'GET /api/task/self': () => pageOf([aSong()]) })
  const types = await screen.findByLabelText('Action')
  expect(within(types).getByText('Edit')).toBeTruthy()
  await user.selectOptions(types, 'Respond')
  await waitFor(() => expect(address()).toEqual({ action: 'RESPOND' }))
})

test('users are shown neither channels nor the filters for them', async () => {
  const { username: _user, channel_id: _id, channel_name: _name, ...own } = aDrawing({ code: 22 })
  await open('/app/logs/drawing', { 'GET /api/mj/self': () => pageOf([own]) }, { search: '?channel=3' })
  await screen.findByText('a kite over the harbour')
  expect(screen.queryByText('Submitted twice')).toBeNull()
  expect(screen.queryByRole('textbox', { name: 'Channel ID' })).toBeNull()
})

test('a task is found by its id at any time', async () => {
  const { calls, user, address } = await open('/app/logs/tasks', { 'GET /api/task/self': () => pageOf([aSong()]) })
  await user.type(await screen.findByRole('textbox', { name: 'Task ID' }), 'song-1{Enter}')
  await waitFor(() => expect(address()).toEqual({ task: 'song-1' }))
  await waitFor(() =>
    expect(requests(calls, '/api/task/self').at(-1)).toEqual({ p: '0', page_size: '20', task_id: 'song-1' }),
  )
})

test('a tab shows one platform', async () => {
  const { calls, user } = await open('/app/logs/tasks', { 'GET /api/task/self': () => pageOf([aSong()]) })
  await user.click(await screen.findByRole('link', { name: 'Video' }))
  await waitFor(() => expect(requests(calls, '/api/task/self').at(-1)?.['platform']).toBe('video'))
})

test('a page that was read is kept, and the next one is read when it is reached', async () => {
  const { calls, user } = await open('/app/logs/tasks', {
    'GET /api/task/self': ({ query }) =>
      pageOf([aSong({ id: 5 + Number(query['p']), task_id: `song-p${query['p']}` })], 21),
  })
  await screen.findByText('song-p0')
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await screen.findByText('song-p1')
  await user.click(screen.getByRole('button', { name: 'Previous page' }))
  await screen.findByText('song-p0')
  expect(requests(calls, '/api/task/self').map(({ p }) => p)).toEqual(['0', '1'])
})

/** Lets time pass, and what waits for it. */
async function pass(ms: number) {
  act(() => void jest.advanceTimersByTime(ms))
  for (let step = 0; step < 20; step += 1) {
    await act(async () => {
      jest.advanceTimersByTime(1)
      await Promise.resolve()
    })
  }
}

test('open tasks are followed by their ids until they have ended', async () => {
  jest.useFakeTimers()
  try {
    const open_ = aSong({ id: 9, status: 'IN_PROGRESS', progress: '20%', finish_time: 0, quota: 0, held: 25_000 })
    const steps = [
      { ...open_, progress: '60%' },
      { ...open_, status: 'SUCCESS', progress: '100%', held: 0, quota: 25_000 },
    ]
    const followed: string[] = []
    await open('/app/logs/tasks', {
      'GET /api/task/self': ({ query }) => {
        if (query['ids'] === undefined) return pageOf([open_, aSong({ id: 8 })])
        followed.push(query['ids'])
        return pageOf([steps[followed.length - 1] ?? steps[1] ?? open_])
      },
    })
    const next = () => pass(3_100)
    await pass(50)
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('20')
    expect(screen.getByText('on hold', { exact: false })).toBeTruthy()
    await next()
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('60')
    await next()
    expect(screen.queryByRole('progressbar')).toBeNull()
    await next()
    expect(followed).toEqual(['9', '9'])
  } finally {
    jest.useRealTimers()
  }
})

test('durations above a minute are marked', async () => {
  await open('/app/logs/tasks', {
    'GET /api/task/self': () => pageOf([aSong(), aSong({ id: 2, task_id: 'quick', finish_time: 1_795_000_060 })]),
  })
  expect((await screen.findByText('1 min 30 s')).dataset['isSlow']).toBe('true')
  expect(screen.getByText('1 min 00 s').dataset['isSlow']).toBeUndefined()
})

test('a failed task says why in its panel, in full', async () => {
  const reason = 'The vendor could not draw this: the prompt names a person. '.repeat(4).trim()
  const { user } = await open('/app/logs/drawing', {
    'GET /api/mj/self': () => pageOf([aDrawing({ status: 'FAILURE', fail_reason: reason })]),
  })
  await user.click(await screen.findByText('a kite over the harbour'))
  const region = within(await screen.findByRole('region', { name: 'Why it failed' }))
  expect(region.getByText(reason)).toBeTruthy()
  await user.click(region.getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe(reason)
})

test('what a task made is looked at and listened to in its panel, from addresses of the web alone', async () => {
  const file = (kind: string, url: string, title = '') => ({ kind, url, title, text: '' })
  const results = [
    file('image', '/mj/image/draw-1'),
    file('audio', 'https://cdn.example/a.mp3', 'Harbour'),
    file('video', 'https://cdn.example/a.mp4'),
    file('image', 'javascript:alert(1)'),
    { ...file('text', ''), text: 'Ice, ice' },
  ]
  await open(
    '/app/logs/tasks',
    { 'GET /api/task/self': () => pageOf([{ ...aSong(), results }]) },
    { search: '?open=1' },
  )
  const region = await screen.findByRole('region', { name: 'Result' })
  const sources = [...region.querySelectorAll('[src]')].map((media) => media.getAttribute('src'))
  expect(sources).toEqual(['/mj/image/draw-1', 'https://cdn.example/a.mp3', 'https://cdn.example/a.mp4'])
  expect(within(region).getByLabelText('Harbour').getAttribute('preload')).toBe('none')
  expect(within(region).getByText('Ice, ice')).toBeTruthy()
})

test('a linked task that is not on the page is read by itself', async () => {
  const { calls } = await open(
    '/app/logs/tasks',
    {
      'GET /api/task/self': ({ query }) =>
        query['ids'] === '77' ? pageOf([aSong({ id: 77, prompt: 'found' })]) : pageOf([aSong()]),
    },
    { search: '?open=77' },
  )
  expect(await screen.findByText('found')).toBeTruthy()
  expect(calls.filter(({ query }) => query['ids'] === '77')).toHaveLength(1)
})

test('a linked task that does not exist says so', async () => {
  await open(
    '/app/logs/tasks',
    { 'GET /api/task/self': ({ query }) => pageOf(query['ids'] ? [] : [aSong()]) },
    { search: '?open=77' },
  )
  expect(await screen.findByText('This task does not exist any more')).toBeTruthy()
})

test('a task that its vendor can stop is cancelled after a confirmation that names what goes back', async () => {
  const running = aSong({ user_id: 1, status: 'IN_PROGRESS', finish_time: 0, held: 25_000, can_cancel: true })
  const { user, calls } = await open(
    '/app/logs/tasks',
    { 'GET /api/task/self': () => pageOf([running]), 'POST /api/task/self/1/cancel': () => undefined },
    { search: '?open=1' },
  )
  await user.click(await screen.findByRole('button', { name: 'Stop task' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop this task?' }))
  expect(dialog.getByText(/\$0\.05 go back to the balance/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Stop task' }))
  await screen.findByText('Task cancelled')
  expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual(['/api/task/self/1/cancel'])
})

test('a batch is stopped with its own words: what was made stays charged and available', async () => {
  const batch = { platform: 'batch', action: 'BATCH', prompt: '/v1/chat/completions 7 ✓ 0 ✗ / 9' } as const
  const running = aSong({ ...batch, user_id: 1, status: 'IN_PROGRESS', finish_time: 0, held: 25_000, can_cancel: true })
  const { user } = await open(
    '/app/logs/tasks',
    { 'GET /api/task/self': () => pageOf([running]) },
    { search: '?platform=batch&open=1' },
  )
  expect(await screen.findByRole('region', { name: 'Calls' })).toBeTruthy()
  expect(screen.getByRole('columnheader', { name: /^Calls/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Stop batch' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Stop this batch?' }))
  expect(dialog.getByText(/stay charged.*What is left of the \$0\.05 on hold goes back/)).toBeTruthy()
})

test('readers of all tasks without write access to users cancel none but their own', async () => {
  const running = aSong({ user_id: 2, status: 'IN_PROGRESS', finish_time: 0, can_cancel: true })
  await open(
    '/app/logs/tasks',
    { 'GET /api/task': () => pageOf([running]) },
    { search: '?open=1', role: 10, grants: ['logs.read'] },
  )
  await screen.findByText('song-1', { selector: 'p' })
  expect(screen.queryByRole('button', { name: 'Stop task' })).toBeNull()
})

test('administrators are told that callbacks are off, users are not', async () => {
  const responses = { 'GET /api/mj': () => pageOf([]), 'GET /api/mj/self': () => pageOf([]) }
  const first = await open('/app/logs/drawing', responses, { role: 10 })
  expect(await screen.findByText(/Callbacks of drawing services are off/)).toBeTruthy()
  first.unmount()
  const second = await open('/app/logs/drawing', responses, { role: 10, site: { mj_notify_enabled: true } })
  await screen.findByText('No drawings in this time')
  expect(screen.queryByText(/Callbacks of drawing services are off/)).toBeNull()
  second.unmount()
  await open('/app/logs/drawing', responses)
  await screen.findByText('No drawings in this time')
  expect(screen.queryByText(/Callbacks of drawing services are off/)).toBeNull()
})

test('a list that cannot be loaded says why', async () => {
  await open('/app/logs/tasks', {
    'GET /api/task/self': () => new Refusal('server.error', 'Something went wrong here', 500),
  })
  expect(await screen.findByText(/Internal server error/)).toBeTruthy()
})

test('a task of the reader that failed is handed to the playground, to be made again', async () => {
  const failed = aSong({
    platform: 'video',
    action: 'GENERATE',
    model: 'veo-3',
    status: 'FAILURE',
    user_id: 1,
    group: 'vip',
    parameters: { seconds: 8, size: '1280x720', seed: 7 },
    parameters_left_out: ['image'],
  })
  const { user, router } = await open(
    '/app/logs/tasks',
    { 'GET /api/task/self': () => pageOf([failed]) },
    { search: '?open=1' },
  )
  await user.click(await screen.findByRole('button', { name: 'Make again in the playground' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ make: 'videos', draft: 1 }))
  expect(router.state.location.pathname).toBe('/playground')
  expect(takeDraft()).toEqual({
    model: 'veo-3',
    messages: [{ role: 'user', content: 'a kite over the harbour' }],
    group: 'vip',
    parameters: { seconds: 8, size: '1280x720', seed: 7 },
    lostFields: ['image'],
  })
})

test.each([
  ['a task of another user', { user_id: 2 }],
  ['a task that is still open', { user_id: 1, status: 'IN_PROGRESS' }],
  ['lyrics, which the playground does not make', { user_id: 1, action: 'LYRICS' }],
  ['a response in the background', { user_id: 1, platform: 'response', action: 'RESPOND' }],
  ['an edit, whose pictures are gone', { user_id: 1, platform: 'image', action: 'EDITS' }],
] as const)('%s is not offered to be made again', async (_name, fields) => {
  const { user_id: _id, ...rest } = aSong()
  await open(
    '/app/logs/tasks',
    { 'GET /api/task': () => pageOf([{ ...rest, ...fields }]) },
    { search: '?open=1', role: 10 },
  )
  expect(await screen.findByRole('region', { name: 'Prompt' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Make again in the playground' })).toBeNull()
})
