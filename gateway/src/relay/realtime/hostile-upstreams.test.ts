import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { RealtimeUpstream } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { HurriedTime } from '../../../test/hurried-time'
import { connectRealtime } from '../../../test/realtime-client'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

const balance = 100_000_000

let world: RelayWorld
let upstream: RealtimeUpstream
const time = new HurriedTime()
beforeAll(async () => {
  upstream = RealtimeUpstream.start()
  world = await createRelayWorld({ time: time.parts })
  await world.addChannel({ models: 'gpt-realtime', base_url: upstream.url })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await upstream[Symbol.asyncDispose]()
})

const createdEvent = (id: string) => ({ type: 'response.created', response: { id, status: 'in_progress' } })
const transcription = 'conversation.item.input_audio_transcription'

function* many(count: number, message: (index: number) => Record<string, unknown>) {
  for (let index = 0; index < count; index += 1) yield message(index)
}

test.each([
  ['begins a thousand responses', () => many(1000, (index) => createdEvent(`resp_${index}`))],
  [
    'begins a thousand transcripts',
    () => many(1000, (index) => ({ type: `${transcription}.delta`, item_id: `item_${index}`, delta: 'x' })),
  ],
])('an upstream that %s ends its session at the first few', async (_what, messages) => {
  const userId = await world.addUser(balance)
  using client = await connectRealtime(world.url, { key: await world.addToken(userId) })
  upstream.next({ messages: messages() })
  client.send({ type: 'response.create' })
  expect((await client.closed).code).toBe(1011)
  expect(client.events.length).toBeLessThan(100)
  expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'upstream.malformed' } })
  await time.hurry(eventually(async () => world.inFlight.count === 0 || null))
  // A session whose holds are released has all but what was said, which is charged.
  expect((await world.ctx.ledger.balanceOf([userId])).get(userId)).toBeGreaterThan(balance - 1000)
})

test('a response without an end is charged as no longer than a model can say', async () => {
  const userId = await world.addUser(balance)
  using client = await connectRealtime(world.url, { key: await world.addToken(userId) })
  const delta = 'word '.repeat(20_000)
  const messages = [createdEvent('resp_1'), ...many(30, () => ({ type: 'response.output_text.delta', delta }))]
  upstream.next({ messages: [...messages, { type: 'said' }] })
  client.send({ type: 'response.create' })
  await client.next('said')
  client.close()
  const row = await time.hurry(
    eventually(async () => (await world.logs()).find(({ user_id: id }) => id === userId) ?? null),
  )
  // The longest response of gpt-realtime.
  expect(row.completion_tokens).toBe(4096)
})

test('ten thousand messages that say nothing cost nothing, and the session goes on', async () => {
  const userId = await world.addUser(balance)
  using client = await connectRealtime(world.url, { key: await world.addToken(userId) })
  upstream.next({ messages: many(10_000, () => ({})) })
  client.send({ type: 'response.create' })
  await client.respond()
  expect((await world.logs()).filter(({ user_id: id }) => id === userId)).toHaveLength(1)
})

test('an upstream’s error reaches the client without the account and addresses in its words', async () => {
  const userId = await world.addUser(balance)
  using client = await connectRealtime(world.url, { key: await world.addToken(userId) })
  const message = 'Rate limit of organization org-OWNER at api.vendor.example'
  upstream.next({
    messages: [{ type: 'error', error: { type: 'rate_limit', code: 'slow_down', message, param: null } }],
  })
  client.send({ type: 'response.create' })
  const { error } = await client.next('error')
  expect(error).toEqual({
    type: 'rate_limit',
    code: 'slow_down',
    message: 'Rate limit of organization [account] at [address]',
    param: null,
  })
})
