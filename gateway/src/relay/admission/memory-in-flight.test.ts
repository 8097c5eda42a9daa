import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'

import { eventually } from '../../../test/eventually'
import { callBytes } from '../../http/limits/byte-budget'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

// The first count of tokens reads a vocabulary.
setDefaultTimeout(120_000)

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({ type: 14, models: 'claude-sonnet-4-5' })
  await world.addChannel({ models: 'whisper-1' })
})
afterAll(() => world[Symbol.asyncDispose]())

const long = 'word '.repeat(20_000)
const messages = [{ role: 'user', content: long }]

test('a large body is refused while its user, or all users together, hold as much as they may', async () => {
  const userId = await world.addUser(1e9)
  const key = await world.addToken(userId)
  const { total, ofUser } = world.ctx.config.memoryInFlight
  for (const [holder, bytes] of [
    [userId, ofUser],
    [userId + 1000, total],
  ] as const) {
    using room = world.inFlight.memory.open(holder)
    room.hold(bytes)
    const refused = await world.chat({ messages }, { key })
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ error: { code: 'gateway.memory' } })
    const native = { model: 'claude-sonnet-4-5', max_tokens: 5, messages }
    const response = await world.post('/v1/messages', native, { key })
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: expect.any(String) } })
    expect(response.status).toBe(503)
    expect((await world.chat({}, { key })).status).toBe(200)
  }
  expect((await world.chat({ messages }, { key })).status).toBe(200)
})

test('a user’s calls are refused while those in flight fill the user’s share by themselves, and others’ are not', async () => {
  const [{ userId, key }, { key: neighbour }] = [await world.addPayer(1e9), await world.addPayer(1e9)]
  const { ofUser } = world.ctx.config.memoryInFlight
  const rooms = Array.from({ length: Math.floor(ofUser / callBytes) }, () => world.inFlight.memory.openCall(userId))
  const refused = await world.chat({}, { key })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await world.chat({}, { key: neighbour })).status).toBe(200)
  rooms.pop()?.[Symbol.dispose]()
  for (let count = 0; count < 3; count += 1) expect((await world.chat({}, { key })).status).toBe(200)
  for (const room of rooms) room[Symbol.dispose]()
})

const form = () => {
  const data = new FormData()
  data.set('model', 'whisper-1')
  data.set('file', new File([new Uint8Array(100_000)], 'a.mp3'))
  return data
}

const endings: Readonly<Record<string, () => Promise<Response>>> = {
  'is answered whole': () => world.chat({ messages }),
  'is streamed': () => world.chat({ messages, stream: true }),
  'is translated': () => world.chat({ messages, model: 'claude-sonnet-4-5', stream: true }),
  'asks for an unknown model': () => world.chat({ messages, model: 'none' }),
  'is malformed': () => world.post('/v1/chat/completions', `{"a":"${long}"`),
  'fails upstream': () => {
    world.simulator.next({ fault: { kind: 'status', status: 400 } })
    return world.chat({ messages })
  },
  'cannot be paid': async () => world.chat({ messages }, { key: await world.addToken(await world.addUser(10)) }),
  'is a form': () =>
    fetch(`${world.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}` },
      body: form(),
    }),
  'counts tokens': () => world.post('/v1/messages/count_tokens', { model: 'claude-sonnet-4-5', messages }),
  'has no announced length': () =>
    fetch(`${world.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
      body: new Blob([JSON.stringify({ model: 'gpt-4o', messages })]).stream(),
    }),
  'is compressed': () =>
    fetch(`${world.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-encoding': 'gzip' },
      body: Bun.gzipSync(JSON.stringify({ model: 'gpt-4o', messages })),
    }),
}

test.each(Object.keys(endings))('a call that %s gives its memory back', async (name) => {
  const response = await endings[name]?.()
  await response?.text()
  await eventually(async () => world.inFlight.memory.used === 0 || null)
})
