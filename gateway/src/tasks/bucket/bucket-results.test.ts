import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { startS3, type S3StandIn } from '@tollgate/simulator'

import { bucketOptions } from '../../../test/bucket-options'
import { createTaskWorld, type TaskWorld } from '../../../test/task-world'
import { pruneResults } from '../../app/jobs/job-table'
import { contentOf } from '../../relay/tasks/task-content'
import { storeDueResults } from '../store-results'
import { readResults } from '../task-store'

let world: TaskWorld
let s3: S3StandIn
beforeAll(async () => {
  world = await createTaskWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  s3 = await startS3(() => world.clock.now())
  await world.relay.setOptions({ ...bucketOptions(s3), TaskResultMegabytes: '1', TaskResultDays: '2' })
})
afterEach(() => s3[Symbol.asyncDispose]())

const { signal } = new AbortController()
const store = () => storeDueResults(world.ctx, signal)
const prune = () => pruneResults(world.ctx).run(signal)

/** A finished task with one sound whose file at the vendor has this name. */
async function finishTask(file: string) {
  world.suno.taskBook.next('at-once')
  const { public_id: id } = await world.submit()
  await world.poll()
  const sound = { kind: 'audio', url: `${world.suno.url}/files/${file}` }
  await world.ctx.database.query
    .updateTable('tasks')
    .set({ results: JSON.stringify([sound]), poll_at: world.clock.now() })
    .where('public_id', '=', id)
    .execute()
  return id
}

/** The status of the content and its text, and whether the vendor was asked for it. */
async function read(id: string, range?: string) {
  const before = world.suno.requests.length
  const request = new Request('http://gateway.test/', { ...(range !== undefined && { headers: { range } }) })
  const response = await contentOf(await world.row(id), { kind: 'audio', index: 0 }, { request }, world.deps)
  const { status, headers } = response
  const text = await response.text()
  return { status, type: headers.get('content-type'), text, ofVendor: world.suno.requests.length > before }
}
const storedFileOf = async (id: string) => readResults(await world.row(id))[0]?.kept

test('results are kept in a private bucket and pass through the gateway, whole and in ranges', async () => {
  const id = await finishTask('song')
  await store()
  const day = new Date(world.clock.now()).toISOString().slice(0, 10)
  const key = `task-results/${day}/${id}-0`
  expect(await storedFileOf(id)).toEqual({ name: key, contentType: 'audio/mpeg', place: 'bucket' })
  expect(await world.row(id)).toMatchObject({ poll_at: null, losses: 0 })
  expect([...s3.objects.keys()]).toEqual([key])
  expect(await read(id)).toEqual({ status: 200, type: 'audio/mpeg', text: 'sound of song', ofVendor: false })
  expect(await read(id, 'bytes=9-12')).toMatchObject({ status: 206, text: 'song', ofVendor: false })
  expect(s3.requests.at(-1)).toMatchObject({ call: `GET /${s3.bucket}/${key}`, range: 'bytes=9-12' })
  expect(await read(id, 'bytes=99-')).toMatchObject({ status: 200, text: 'sound of song', ofVendor: false })
  // What was on its way to the bucket leaves nothing on the disk.
  const folder = join(world.ctx.config.dataDir, 'task-results', day)
  expect(readdirSync(folder)).toEqual([])
})

test('the bucket is part of the host where the storage wants it, below the prefix that is set', async () => {
  await world.relay.setOptions({ TaskBucketStyle: 'host', TaskBucketPrefix: 'site/results' })
  const { ctx } = world
  // This machine knows no host with the name of the bucket.
  const local: typeof fetch = Object.assign(
    (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const host = url.host
      url.hostname = url.hostname.replace(`${s3.bucket}.`, '')
      const headers = new Headers(init?.headers)
      headers.set('host', host)
      return ctx.fetch(url, { ...init, headers })
    },
    { preconnect: fetch.preconnect },
  )
  await world.relay.setOptions({ TaskBucketEndpoint: s3.url.replace('127.0.0.1', 'localhost') })
  const id = await finishTask('hosted')
  await storeDueResults({ ...ctx, fetch: local, catalog: ctx.catalog }, signal)
  expect(await storedFileOf(id)).toMatchObject({ name: expect.stringMatching(/^site\/results\/\d{4}-/) })
  expect(s3.requests.at(-1)?.host).toStartWith(`${s3.bucket}.localhost:`)
  // Objects keep their whole keys, so results in an earlier folder are still served.
  await world.relay.setOptions({ TaskBucketStyle: 'path', TaskBucketPrefix: 'task-results' })
  expect(await read(id)).toMatchObject({ status: 200, text: 'sound of hosted', ofVendor: false })
})

test('a result above the size limit stays at its vendor', async () => {
  const id = await finishTask('large')
  await store()
  expect(await storedFileOf(id)).toBeUndefined()
  expect(await world.row(id)).toMatchObject({ poll_at: null })
  expect(s3.requests).toEqual([])
})

test.each(['refuse', 'fail'] as const)(
  'a bucket that does %s is tried again later, and the result stays readable',
  async (kind) => {
    s3.fault = { kind, method: 'PUT' }
    const id = await finishTask(kind)
    await store()
    expect(await storedFileOf(id)).toBeUndefined()
    expect(await world.row(id)).toMatchObject({ losses: 1, poll_at: world.clock.now() + 60_000 })
    expect(await read(id)).toMatchObject({ status: 200, text: `sound of ${kind}`, ofVendor: true })
    s3.fault = null
    world.clock.advance(60_000)
    await store()
    expect(await storedFileOf(id)).toMatchObject({ place: 'bucket' })
    s3.fault = { kind, method: 'GET' }
    expect(await read(id)).toMatchObject({ status: 200, text: `sound of ${kind}`, ofVendor: true })
  },
)

test('a result that fails every time is left at its vendor after the fifth', async () => {
  s3.fault = { kind: 'refuse' }
  const id = await finishTask('stubborn')
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await store()
    world.clock.advance(60_000 * 2 ** attempt)
  }
  expect(s3.requests).toHaveLength(5)
  expect(await world.row(id)).toMatchObject({ poll_at: null, losses: 0 })
})

test('an object that breaks off breaks the response off, which then has not its whole length', async () => {
  const id = await finishTask('cut')
  await store()
  s3.fault = { kind: 'truncate', method: 'GET' }
  expect(await read(id).catch(() => 'broken off')).toBe('broken off')
})

test('results in the bucket expire with their days, page by page, and nothing else there is deleted', async () => {
  const old = await Promise.all([finishTask('one'), finishTask('two'), finishTask('three')])
  await store()
  const note = { contentType: 'text/plain', bytes: new Uint8Array(1) }
  s3.objects.set('task-results/notes', note)
  s3.objects.set('another/2001-01-01/file', note)
  for (const mark of ['&', '<', "'"]) s3.objects.set(`task-results/2001-01-01/${mark}`, note)
  world.clock.advance(4 * 86_400_000)
  const recent = await finishTask('recent')
  await store()
  s3.listed = 2
  await prune()
  expect([...s3.objects.keys()].toSorted()).toEqual(
    ['another/2001-01-01/file', (await storedFileOf(recent))?.name ?? '', 'task-results/notes'].toSorted(),
  )
  // The vendor may still have it.
  expect(await read(old[0] ?? '')).toMatchObject({ status: 200, text: 'sound of one', ofVendor: true })
})

test('a result whose bucket is no longer set up is read from its vendor', async () => {
  const id = await finishTask('moved')
  await store()
  await world.relay.setOptions({ TaskResultStorage: 'provider', TaskBucketSecret: '' })
  expect(await read(id)).toMatchObject({ text: 'sound of moved', ofVendor: true })
})
