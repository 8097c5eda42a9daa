import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
let channelId: number
beforeAll(async () => {
  world = await createRelayWorld()
  channelId = await world.addChannel({ models: 'gpt-4o,gpt-4o-mini', priority: 5 })
})
beforeEach(() => world.simulator.reset())
afterAll(() => world[Symbol.asyncDispose]())

/** Resolves with what the upstream received. */
async function captureRequest(
  rewrites: readonly object[],
  body: object = {},
  {
    param_override = '',
    setting = {},
    headers,
  }: { param_override?: string; setting?: object; headers?: Record<string, string> } = {},
) {
  await world.changeChannel(channelId, { setting: JSON.stringify({ ...setting, rewrites }), param_override })
  const response = await world.chat(body, { headers })
  expect([response.status, await response.text()]).toEqual([200, expect.anything()])
  const [request] = world.simulator.requests
  return { json: request?.json ?? {}, headers: request?.headers ?? {} }
}

describe('the body', () => {
  test('members are set, removed and given defaults, also within objects', async () => {
    const rewrite = {
      param_default: { temperature: 0.5, 'metadata.team': 'blue', top_p: 0.1 },
      param_override: { 'metadata.kind': 'test', seed: null, user: 'site' },
    }
    const { json } = await captureRequest([rewrite], { top_p: 0.9, seed: 7, metadata: { kind: 'other', x: 1 } })
    expect(json).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      user: 'site',
      metadata: { kind: 'test', team: 'blue', x: 1 },
    })
    expect(json).not.toHaveProperty('seed')
  })

  test('a null of the channel’s override removes', async () => {
    const { json } = await captureRequest(
      [],
      { seed: 7, stop: 'x' },
      { param_override: '{"seed":null,"temperature":0}' },
    )
    expect(json).not.toHaveProperty('seed')
    expect(json).toMatchObject({ stop: 'x', temperature: 0 })
  })

  test('a null in an object removes that member alone', async () => {
    const metadata = { kind: 'other', x: 1 }
    const { json } = await captureRequest(
      [{ param_override: { metadata: { x: null, y: 2 } } }],
      { metadata, stop: 'x' },
      { param_override: '{"metadata":{"kind":null},"reasoning":{"effort":null}}' },
    )
    expect(json).toMatchObject({ metadata: { y: 2 }, stop: 'x' })
    expect(Object.entries(json)).toContainEqual(['metadata', { y: 2 }])
    expect(json).not.toHaveProperty('reasoning')
  })

  test.each([
    ['gpt-4o', true],
    ['gpt-4o-*', false],
    ['gpt-*', true],
    ['*4o', true],
    ['g*-*o', true],
    ['*', true],
    ['*o*o', false],
    ['claude-*', false],
    ['gpt-4', false],
  ])('a rewrite for models like %s applies to gpt-4o: %p', async (pattern, isApplied) => {
    const { json } = await captureRequest([{ models: ['other', pattern], param_override: { user: 'site' } }])
    expect(Object.keys(json).includes('user')).toBe(isApplied)
  })

  test('later rewrites see what earlier ones wrote', async () => {
    const { json } = await captureRequest([{ param_override: { seed: 1 } }, { param_default: { seed: 2, user: 'a' } }])
    expect(json).toMatchObject({ seed: 1, user: 'a' })
  })

  test('a channel that passes bodies on changes none, and its headers as asked', async () => {
    const rewrite = { param_override: { user: 'site' }, header_override: { 'x-team': 'blue' } }
    const { json, headers } = await captureRequest([rewrite], {}, { setting: { pass_through_body_enabled: true } })
    expect(json).not.toHaveProperty('user')
    expect(headers['x-team']).toBe('blue')
  })
})

describe('the headers', () => {
  test('headers are set and removed, in whatever case they are written', async () => {
    const { headers } = await captureRequest([
      { header_override: { 'User-Agent': 'site/1', Accept: null, 'X-Team': 'blue' } },
    ])
    expect(headers).toMatchObject({ 'user-agent': 'site/1', 'x-team': 'blue', authorization: `Bearer ${upstreamKey}` })
    expect(headers['accept'] ?? '*/*').toBe('*/*')
  })

  test('only the named headers of the client are passed on', async () => {
    const { headers } = await captureRequest(
      [{ header_pass: ['X-Session-Id', 'x-absent'] }],
      {},
      {
        headers: { 'x-session-id': 's1', 'x-other': 'o' },
      },
    )
    expect(headers['x-session-id']).toBe('s1')
    expect(headers).not.toHaveProperty('x-other')
    expect(headers).not.toHaveProperty('x-absent')
  })
})
