import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  for (let count = 0; count < 5; count += 1) await world.addChannel({ priority: 5, models: 'gpt-4o' })
  for (let count = 0; count < 6; count += 1)
    await world.addChannel({ priority: 5, type: 14, models: 'claude-sonnet-4-5' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const calls = 12
/** Resolves with how many channels served some calls of a new user. */
async function channelsOf(path: string, bodyOf: (call: number) => object, headers: Record<string, string> = {}) {
  const { userId, key } = await world.addPayer(1e9)
  for (let call = 0; call < calls; call += 1)
    expect((await world.post(path, bodyOf(call), { key, headers })).status).toBe(200)
  const rows = await world.chargesOf(userId, calls)
  return new Set(rows.map(({ channel_id }) => channel_id)).size
}
const chat = (fields: object, content = 'hello') => ({
  model: 'gpt-4o',
  messages: [{ role: 'user', content }],
  ...fields,
})
const long = 'You are a careful assistant. '.repeat(300)

describe('the calls of a conversation are served by one channel', () => {
  test.each([
    ['the client’s cache key', {}, () => chat({ prompt_cache_key: 'talk' })],
    ['the session of a coding agent', { session_id: 'a-b-c' }, () => chat({})],
    [
      'how a long prompt begins',
      {},
      (call: number) => ({
        model: 'gpt-4o',
        messages: [
          { role: 'system', content: long },
          { role: 'user', content: 'Hello' },
          ...Array.from({ length: call }, () => ({ role: 'user', content: 'and then' })),
        ],
      }),
    ],
  ] as const)('a conversation is known by %s, and has one channel', async (_, headers, bodyOf) => {
    expect(await channelsOf('/v1/chat/completions', bodyOf, headers)).toBe(1)
  })

  test('a conversation is known by the user and session that Anthropic’s clients name', async () => {
    const body = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] }
    expect(await channelsOf('/v1/messages', () => ({ ...body, metadata: { user_id: 'ann_session_1' } }))).toBe(1)
    expect(await channelsOf('/v1/messages', () => body)).toBeGreaterThan(1)
  })

  test('other conversations and short prompts, which no vendor caches, have several channels', async () => {
    expect(
      await channelsOf('/v1/chat/completions', (call) => chat({ prompt_cache_key: `talk ${call}` })),
    ).toBeGreaterThan(1)
    expect(await channelsOf('/v1/chat/completions', () => chat({}))).toBeGreaterThan(1)
    const served = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { userId, key } = await world.addPayer(1e9)
        await world.chat({ prompt_cache_key: 'the same' }, { key })
        return (await world.chargesOf(userId, 1))[0]?.channel_id
      }),
    )
    expect(new Set(served).size).toBeGreaterThan(1)
  })

  test('another channel has them while theirs does not serve', async () => {
    const { userId, key } = await world.addPayer(1e9)
    const call = () => world.chat({ prompt_cache_key: 'talk' }, { key })
    await call()
    const [home] = await world.chargesOf(userId, 1)
    await world.changeChannel(home?.channel_id ?? 0, { status: 2 })
    await call()
    await call()
    const [, second, third] = (await world.chargesOf(userId, 3)).toSorted((one, other) => one.id - other.id)
    expect(second?.channel_id).not.toBe(home?.channel_id)
    expect(third?.channel_id).toBe(second?.channel_id)
    await world.changeChannel(home?.channel_id ?? 0, { status: 1 })
    await call()
    const last = (await world.chargesOf(userId, 4)).toSorted((one, other) => one.id - other.id).at(-1)
    expect(last?.channel_id).toBe(home?.channel_id)
  })
})
