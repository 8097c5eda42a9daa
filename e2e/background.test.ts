import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'

import { HurriedTime } from '../gateway/test/hurried-time'
import { until } from './ledger-view'
import { aWorld, type World } from './world'

// Above every inner timeout, so that the failing step reports the reason.
setDefaultTimeout(120_000)

let world: World
const time = new HurriedTime()
beforeAll(async () => {
  world = await aWorld({ models: ['gpt-4o', 'gpt-image-1'], gateway: time.parts })
})
// What was cancelled is read on until the gateway cuts it.
afterAll(() => time.hurry(world[Symbol.asyncDispose]()))
beforeEach(() => world.simulator.reset())

test('a response in the background is created and retrieved with the SDK', async () => {
  const { responses } = world.client
  const started = await responses.create({ model: 'gpt-4o', input: 'hello there', background: true })
  expect(started).toMatchObject({ status: 'queued', background: true })
  const done = await time.hurry(
    until(
      () => responses.retrieve(started.id),
      ({ status }) => status === 'completed',
    ),
  )
  expect(done).toMatchObject({ id: started.id, status: 'completed' })
  expect(done.output_text).not.toBe('')
  expect(done.usage?.output_tokens).toBePositive()
  await responses.delete(started.id)
  expect(await responses.retrieve(started.id).catch(({ status }: { status: number }) => status)).toBe(404)
})

test('a response in the background is cancelled with the SDK while its upstream is silent', async () => {
  world.simulator.next({ fault: { kind: 'stall', when: 'before-headers' } })
  const { responses } = world.client
  const { id } = await responses.create({ model: 'gpt-4o', input: 'hello there', background: true })
  await time.hurry(world.simulator.arrival(1))
  expect((await responses.cancel(id)).status).toBe('cancelled')
  expect((await responses.cancel(id)).status).toBe('cancelled')
  expect((await responses.retrieve(id)).output).toEqual([])
})

test('images are made in the background by a request of the SDK', async () => {
  const body = { model: 'gpt-image-1', prompt: 'a harbour', n: 2, async: true }
  const started: unknown = await world.client.images.generate(body)
  expect(started).toMatchObject({ object: 'image.generation', status: 'queued' })
  const { id } = started as { id: string }
  const done = await time.hurry(
    until(
      () => world.client.get<{ status: string; data: unknown[] }>(`/images/generations/${id}`),
      ({ status }) => status === 'completed',
    ),
  )
  expect(done.data).toHaveLength(2)
})
