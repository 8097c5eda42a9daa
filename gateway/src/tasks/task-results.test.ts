import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { TaskResult } from '@tollgate/providers'
import { startSuno } from '@tollgate/simulator'

import { booksOf } from '../../test/ledger'
import { upstreamKey } from '../../test/relay-world'
import { createTaskWorld, songPrice, type TaskWorld } from '../../test/task-world'
import { UpstreamError } from '../channels/calls/upstream-error'
import { pruneResults } from '../app/jobs/job-table'
import { contentOf } from '../relay/tasks/task-content'
import { callbackUrlOf, isCallback } from './callback-url'
import { cancelTask } from './cancel-task'
import { failTask } from './end-task'
import { pollTaskNow } from './claim-tasks'
import { pollTasks } from './poll-tasks'
import { storeDueResults } from './store-results'

let world: TaskWorld
beforeAll(async () => {
  world = await createTaskWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** The content of a task with this result, and the key that its vendor got with the request. */
async function contentWith(result: TaskResult) {
  const { public_id: id } = await world.submit()
  const row = { ...(await world.row(id)), results: JSON.stringify([result]) }
  const request = new Request('http://gateway.test/', { headers: { range: 'bytes=0-' } })
  const response = await contentOf(row, { kind: result.kind, index: 0 }, { request }, world.deps)
  return { response, key: world.suno.requests.at(-1)?.key }
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )

test('a result that only the vendor’s key opens passes through the gateway', async () => {
  const { response, key } = await contentWith({ kind: 'audio', url: `${world.suno.url}/files/one`, isSecret: true })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
  expect(await response.text()).toBe('sound of one')
  expect(key).toBe(`Bearer ${upstreamKey}`)
})

test('a result that its vendor finds by a file id is asked for with the key', async () => {
  const { response, key } = await contentWith({ kind: 'audio', fileId: 'two' })
  expect(await response.text()).toBe('sound of two')
  expect(key).toBe(`Bearer ${upstreamKey}`)
})

test('an open address at the vendor’s host gets no key', async () => {
  const { response, key } = await contentWith({ kind: 'audio', url: `${world.suno.url}/files/three` })
  expect(await response.text()).toBe('sound of three')
  expect(key).toBe('')
})

test('a vendor’s page is not served as a page', async () => {
  const { response } = await contentWith({ kind: 'image', url: `${world.suno.url}/files/page` })
  expect(response.headers.get('content-type')).toBe('image/png')
  await response.body?.cancel()
})

test('an address within the operator’s network is not opened for a vendor’s reply', async () => {
  await using other = await startSuno()
  expect(await codeOf(contentWith({ kind: 'audio', url: `${other.url}/files/secret` }))).toBe('upstream.failed')
  expect(other.requests).toEqual([])
})

test('neither the key nor the channel’s proxy makes an address within the operator’s network one to open', async () => {
  await using other = await startSuno()
  const url = `${other.url}/files/secret`
  expect(await codeOf(contentWith({ kind: 'audio', url, isSecret: true }))).toBe('upstream.failed')
  const row = { ...(await world.submit()), results: JSON.stringify([{ kind: 'audio', url }]) }
  await world.relay.changeChannel(row.channel_id, { setting: JSON.stringify({ proxy: world.suno.url }) })
  const requestCount = world.suno.requests.length
  const requestedContent = { kind: 'audio', index: 0 } as const
  const proxied = contentOf(row, requestedContent, { request: new Request('http://gateway.test/') }, world.deps)
  expect(await codeOf(proxied)).toBe('upstream.failed')
  await world.relay.changeChannel(row.channel_id, { setting: '{}' })
  expect([other.requests.length, world.suno.requests.length]).toEqual([0, requestCount])
})

test('a public address is opened through the channel’s proxy', async () => {
  const proxiedRequests: string[] = []
  using proxy = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        proxiedRequests.push(String(bytes.toString().split('\r\n')[0]))
        socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
      },
    },
  })
  const url = 'https://93.184.216.34/files/six'
  const row = { ...(await world.submit()), results: JSON.stringify([{ kind: 'audio', url }]) }
  await world.relay.changeChannel(row.channel_id, {
    setting: JSON.stringify({ proxy: `http://127.0.0.1:${proxy.port}` }),
  })
  const opened = contentOf(
    row,
    { kind: 'audio', index: 0 },
    { request: new Request('http://gateway.test/') },
    world.deps,
  )
  const fault = await opened.then(
    () => 'none',
    (error: unknown) => error instanceof UpstreamError && error.fault,
  )
  await world.relay.changeChannel(row.channel_id, { setting: '{}' })
  expect(fault).toBe('unreachable')
  expect(proxiedRequests).toEqual(['CONNECT 93.184.216.34:443 HTTP/1.1'])
})

test('a result that is not there is refused', async () => {
  const { public_id: id } = await world.submit()
  const request = new Request('http://gateway.test/')
  const row = await world.row(id)
  expect(await codeOf(contentOf(row, { kind: 'video', index: 0 }, { request }, world.deps))).toBe('task.result_none')
})

test('a cancelled task gives its hold back, and one that has ended cannot be cancelled', async () => {
  const userId = await world.relay.addUser(1_000_000)
  const key = await world.relay.addToken(userId)
  const { public_id: id } = await world.submit({}, key)
  await cancelTask(world.ctx, await world.row(id))
  expect(await world.row(id)).toMatchObject({
    status: 'CANCEL',
    fail_reason: '{"code":"task.cancelled"}',
    poll_at: null,
  })
  expect(await booksOf(world.ctx.database, userId)).toMatchObject({ free: 1_000_000, held: 0, charges: 0 })
  expect(await codeOf(cancelTask(world.ctx, await world.row(id)))).toBe('task.ended')
  const { public_id: running } = await world.submit({}, key)
  await world.poll()
  expect(await codeOf(cancelTask(world.ctx, await world.row(running)))).toBe('upstream.failed')
  expect(await world.row(running)).toMatchObject({ status: 'QUEUED' })
})

test('a task that its vendor has finished is charged, not cancelled, though it was not polled yet', async () => {
  const userId = await world.relay.addUser(1_000_000)
  const key = await world.relay.addToken(userId)
  world.suno.taskBook.next('at-once')
  const { public_id: id } = await world.submit({}, key)
  expect(await codeOf(cancelTask(world.ctx, await world.row(id)))).toBe('task.ended')
  expect(await world.row(id)).toMatchObject({ status: 'SUCCESS', quota: songPrice })
  expect(await booksOf(world.ctx.database, userId)).toMatchObject({ held: 0, charges: 1 })
})

test('a vendor’s callback hastens the next question and is not believed', async () => {
  await world.relay.setOptions({ ServerAddress: 'https://gateway.example' })
  const { public_id: id } = await world.submit()
  const url = callbackUrlOf(world.ctx, id) ?? ''
  const [path, signature = ''] = url.split('/callback/')
  expect(path).toBe(`https://gateway.example/v1/tasks/${id}`)
  expect(world.suno.requests.at(-1)?.body).toMatchObject({ callbackUrl: url })
  expect(isCallback(world.ctx, id, signature)).toBe(true)
  expect(isCallback(world.ctx, id, signature.replace(/.$/, '~'))).toBe(false)
  expect(isCallback(world.ctx, `${id}x`, signature)).toBe(false)
  await pollTaskNow(world.ctx, id)
  const hastened = await world.row(id)
  expect(hastened).toMatchObject({ status: 'SUBMITTED', poll_at: world.clock.now() })
  await world.poll(0)
  expect(await world.row(id)).toMatchObject({ status: 'QUEUED' })
  for (let step = 0; step < 2; step += 1) await world.poll()
  await pollTaskNow(world.ctx, id)
  expect(await world.row(id)).toMatchObject({ status: 'SUCCESS', poll_at: null })
})

test('callbacks that come early, twice, at the same time as the answer or late change when a vendor is asked, and nothing else', async () => {
  await world.relay.setOptions({ ServerAddress: 'https://gateway.example' })
  const countPolls = () => world.suno.requests.filter(({ call }) => call === 'POST /suno/fetch').length
  // Early: the vendor reports before its acceptance has arrived.
  const { promise: reported, resolve } = Promise.withResolvers<void>()
  const { upstreams } = world.ctx
  const early: typeof upstreams = {
    ...upstreams,
    async send(...call) {
      const response = await upstreams.send(...call)
      const open = await world.ctx.database.query
        .selectFrom('tasks')
        .selectAll()
        .where('status', '=', 'NOT_START')
        .executeTakeFirstOrThrow()
      await pollTaskNow(world.ctx, open.public_id)
      expect(await world.row(open.public_id)).toEqual(open)
      resolve()
      return response
    },
  }
  world.suno.taskBook.next('finish')
  const { public_id: id } = await world.submit({}, undefined, { ...world.ctx, upstreams: early })
  await reported
  expect(await world.row(id)).toMatchObject({ status: 'SUBMITTED' })
  // Two callbacks at once make the vendor be asked once.
  const before = countPolls()
  await Promise.all([pollTaskNow(world.ctx, id), pollTaskNow(world.ctx, id)])
  await world.poll(0)
  await world.poll(0)
  expect(countPolls()).toBe(before + 1)
  // A callback while the vendor is asked makes it be asked once more.
  const during: typeof fetch = Object.assign(
    async (...call: Parameters<typeof fetch>) => {
      const response = await world.ctx.fetch(...call)
      await pollTaskNow(world.ctx, id)
      return response
    },
    { preconnect: fetch.preconnect },
  )
  world.clock.advance(30_000)
  await pollTasks({ ...world.ctx, fetch: during }, new AbortController().signal)
  expect(await world.row(id)).toMatchObject({ status: 'IN_PROGRESS', poll_at: world.clock.now() })
  await world.poll(0)
  const done = await world.row(id)
  expect(done).toMatchObject({ status: 'SUCCESS', poll_at: null })
  // A late callback changes nothing.
  await pollTaskNow(world.ctx, id)
  expect(await world.row(id)).toEqual(done)
})

test('the end of a task is queued for the webhook that its client named, once and without secrets', async () => {
  const webhook = 'https://app.example/hook'
  world.suno.taskBook.next('at-once')
  const { public_id: id, user_id: userId } = await world.submit({ webhook })
  await world.poll()
  await world.poll()
  const queued = await world.ctx.database.query.selectFrom('webhook_deliveries').selectAll().execute()
  expect(queued).toHaveLength(1)
  expect(queued[0]).toMatchObject({ user_id: userId, url: webhook, type: 'task', due_at: expect.any(Number) })
  const body: unknown = JSON.parse(queued[0]?.body ?? '')
  expect(body).toMatchObject({
    type: 'task',
    timestamp: expect.any(Number),
    task_id: id,
    status: 'SUCCESS',
    progress: '100%',
  })
  expect(queued[0]?.body).not.toContain(upstreamKey)
})

test('the webhook of a task says why it failed in words', async () => {
  const { public_id: id } = await world.submit({ webhook: 'https://app.example/failed' })
  await failTask(world.ctx, { ...(await world.row(id)), platform: 'video' }, { code: 'task.timeout' })
  const { body } = await world.ctx.database.query
    .selectFrom('webhook_deliveries')
    .select('body')
    .where('url', '=', 'https://app.example/failed')
    .executeTakeFirstOrThrow()
  const { task } = JSON.parse(body) as { task: { fail_reason: string } }
  expect(task.fail_reason).not.toStartWith('{')
  expect(task.fail_reason).not.toBe('')
})

test('results are kept in the data folder where the site wants them, up to its size and for its days', async () => {
  await world.relay.setOptions({ TaskResultStorage: 'folder', TaskResultMegabytes: '1', TaskResultDays: '2' })
  world.suno.taskBook.next('at-once')
  const { public_id: id } = await world.submit()
  await world.poll(6000)
  const song = { kind: 'audio', url: `${world.suno.url}/files/kept` }
  const large = { kind: 'audio', url: `${world.suno.url}/files/large` }
  await world.ctx.database.query
    .updateTable('tasks')
    .set({ results: JSON.stringify([song, large]), poll_at: world.clock.now() })
    .where('public_id', '=', id)
    .execute()
  await storeDueResults(world.ctx, new AbortController().signal)
  const row = await world.row(id)
  expect(row).toMatchObject({ status: 'SUCCESS', poll_at: null })
  expect(JSON.parse(row.results)).toEqual([
    { ...song, kept: { name: expect.stringContaining(id), contentType: 'audio/mpeg' } },
    large,
  ])
  const before = world.suno.requests.length
  const part = new Request('http://gateway.test/', { headers: { range: 'bytes=9-12' } })
  const response = await contentOf(row, { kind: 'audio', index: 0 }, { request: part }, world.deps)
  expect([response.status, response.headers.get('content-range')]).toEqual([206, 'bytes 9-12/13'])
  expect(await response.text()).toBe('kept')
  expect(world.suno.requests.length).toBe(before)
  const prune = () => pruneResults(world.ctx).run(new AbortController().signal)
  await prune()
  expect(readdirSync(join(world.ctx.config.dataDir, 'task-results'))).toHaveLength(1)
  world.clock.advance(4 * 86_400_000)
  await prune()
  expect(readdirSync(join(world.ctx.config.dataDir, 'task-results'))).toEqual([])
  const whole = new Request('http://gateway.test/')
  const gone = await contentOf(row, { kind: 'audio', index: 0 }, { request: whole }, world.deps)
  expect(await gone.text()).toBe('sound of kept')
})
