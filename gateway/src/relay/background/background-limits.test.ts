import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { JsonObject } from '@tollgate/dialects'

import { eventually } from '../../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { BackgroundCalls } from './background-calls'

const megabyte = 1024 * 1024
const aClient = { leave() {} }

let world: RelayWorld
let image = ''
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => Response.json({ created: 5, data: [{ b64_json: image }] }),
})
beforeAll(async () => {
  world = await createRelayWorld()
  const setting = JSON.stringify({ max_retries: 0 })
  await world.addChannel({ base_url: String(upstream.url).replace(/\/$/, ''), setting, models: 'dall-e-3' })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream.stop(true)
})

const draw = () => world.post('/v1/images/generations', { model: 'dall-e-3', prompt: 'a harbour', async: true })
const holds = () => world.ctx.database.query.selectFrom('holds').select('id').execute()
const row = (id: string) =>
  world.ctx.database.query.selectFrom('tasks').selectAll().where('public_id', '=', id).executeTakeFirstOrThrow()
const awaitEnd = async (response: Response) => {
  const { id } = (await response.json()) as { id: string }
  return eventually(async () => {
    const task = await row(id)
    return ['NOT_START', 'IN_PROGRESS'].includes(task.status) ? null : task
  })
}

test('requests that wait in a worker take 256 MB at most, and one alone may take more', () => {
  const calls = new BackgroundCalls()
  expect(calls.hasRoom(300 * megabyte)).toBe(true)
  const first = calls.add(1, { bytes: 200 * megabyte, departure: aClient }, world.ctx)
  expect([calls.hasRoom(56 * megabyte), calls.hasRoom(56 * megabyte + 1)]).toEqual([true, false])
  const second = calls.add(2, { bytes: 56 * megabyte, departure: aClient }, world.ctx)
  expect(calls.hasRoom(1)).toBe(false)
  first[Symbol.dispose]()
  expect([calls.hasRoom(200 * megabyte), calls.hasRoom(200 * megabyte + 1)]).toEqual([true, false])
  second[Symbol.dispose]()
})

test('a call that finds no room in its worker is told to come back, and holds nothing', async () => {
  image = 'AAAA'
  using _waiting = world.inFlight.background.add(0, { bytes: 256 * megabyte, departure: aClient }, world.ctx)
  const refused = await draw()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
  expect((await refused.json()) as JsonObject).toMatchObject({ error: { code: 'background.busy' } })
  expect(await holds()).toEqual([])
})

test('an answer of more than 32 MB is lost, and charged: its vendor made it', async () => {
  image = 'A'.repeat(32 * megabyte)
  const task = await awaitEnd(await draw())
  expect(task).toMatchObject({ status: 'FAILURE', quota: 0.04 * 500_000, results: '[]' })
  expect(JSON.parse(task.fail_reason)).toMatchObject({ code: 'background.result_too_large', params: { limit: 32 } })
  expect(await holds()).toEqual([])
  image = 'A'.repeat(31 * megabyte)
  expect(await awaitEnd(await draw())).toMatchObject({ status: 'SUCCESS' })
})
