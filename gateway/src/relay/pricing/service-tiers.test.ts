import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({ type: 14, models: 'claude-opus-4-6' })
  await world.setOptions({ ModelRatio: '{"claude-opus-4-6":2.5}', CompletionRatio: '{"claude-opus-4-6":5}' })
  await world.addChannel({ type: 24, models: 'gemini-2.0-flash' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const usage = { promptTokens: 100, tokens: 10 }
const hi = [{ role: 'user', content: 'hi' }]
const readRequestBody = () => JSON.parse(world.simulator.requests[0]?.body ?? '{}') as Record<string, unknown>

async function rowOf(response: Response) {
  await response.text()
  const row = (await world.logs()).at(-1)
  return { quota: row?.quota, other: JSON.parse(row?.other ?? '{}') as Record<string, unknown> }
}

describe('a call that requests a more expensive tier', () => {
  test.each([false, true])(
    'a priority call is charged its factor, and passes unchanged (stream: %p)',
    async (stream) => {
      world.simulator.next(usage)
      const body = `{"model":"gpt-4o", "service_tier":"priority","stream":${stream},"messages":${JSON.stringify(hi)}}`
      const { quota, other } = await rowOf(await world.post('/v1/chat/completions', body))
      // 1.7 on the list, which takes precedence over the option for all models.
      expect(quota).toBe(298)
      expect(other).toMatchObject({ service_tier_ratio: 1.7, price_mode: 'priority' })
      expect(readRequestBody()).toMatchObject({ service_tier: 'priority' })
    },
  )

  test('a priority call holds its factor', async () => {
    const key = await world.addToken(await world.addUser(800))
    const requestTier = (fields: object) => world.chat({ max_tokens: 100, ...fields }, { key })
    expect((await requestTier({ service_tier: 'priority' })).status).toBe(403)
    expect((await requestTier({ service_tier: 'flex' })).status).toBe(200)
  })

  test('a priority call that was served at the standard tier costs the standard price', async () => {
    world.simulator.next(usage)
    // Anthropic serves priority from capacity that its customer has bought: nothing there costs more.
    const { other } = await rowOf(await world.chat({ model: 'claude-opus-4-6', service_tier: 'priority' }))
    expect(other).not.toHaveProperty('service_tier_ratio')
  })

  test('fast mode is charged by the speed that Anthropic reports', async () => {
    const message = { model: 'claude-opus-4-6', max_tokens: 50, messages: hi, speed: 'fast' }
    const headers = { 'anthropic-version': '2023-06-01' }
    const usageOf = (speed: string) => ({ input_tokens: 100, output_tokens: 10, service_tier: 'standard', speed })
    world.simulator.next({ ...usage, usageOverride: usageOf('fast') })
    const fast = await rowOf(await world.post('/v1/messages', message, { headers }))
    world.simulator.next({ ...usage, usageOverride: usageOf('standard') })
    const standard = await rowOf(await world.post('/v1/messages', message, { headers }))
    expect(fast.other).toMatchObject({ service_tier_ratio: 6 })
    expect(standard.other).not.toHaveProperty('service_tier_ratio')
    expect(fast.quota).toBe(6 * (standard.quota ?? 0))
  })

  test('a priority call reaches Google, and is charged there', async () => {
    world.simulator.next(usage)
    const body = { contents: [{ parts: [{ text: 'hi' }] }], serviceTier: 'SERVICE_TIER_PRIORITY' }
    const { other } = await rowOf(await world.post('/v1beta/models/gemini-2.0-flash:generateContent', body))
    expect(other).toMatchObject({ service_tier_ratio: 2 })
  })

  test.each<[string, { usageMetadata?: object; headers?: Record<string, string> }, string | undefined]>([
    ['in a header', { headers: { 'x-gemini-service-tier': 'standard' } }, 'standard'],
    ['in its traffic', { usageMetadata: { trafficType: 'ON_DEMAND' } }, 'standard'],
    ['in its usage', { usageMetadata: { serviceTier: 'standard' } }, 'standard'],
  ])('a priority call that Google serves as standard, as it says %s, is charged as that', async (_, reported, tier) => {
    const { usageMetadata, headers } = reported
    const usageOverride = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110, ...usageMetadata }
    world.simulator.next({ ...usage, usageOverride, ...(headers && { headers }) })
    const body = { contents: [{ parts: [{ text: 'hi' }] }], serviceTier: 'priority' }
    const response = await world.post('/v1beta/models/gemini-2.0-flash:generateContent', body)
    expect(response.headers.get('x-gemini-service-tier')).toBe(headers ? 'standard' : null)
    const { other } = await rowOf(response)
    expect(other).not.toHaveProperty('service_tier_ratio')
    expect(other).toMatchObject({ service_tier: tier })
  })
})

describe('a tier that the site does not sell', () => {
  test.each([
    ['/v1/chat/completions', { model: 'gpt-4o', messages: hi, service_tier: 'scale' }, 'service_tier'],
    ['/v1/responses', { model: 'gpt-4o', input: 'hi', service_tier: 'scale' }, 'service_tier'],
    ['/v1/messages', { model: 'claude-opus-4-6', max_tokens: 9, messages: hi, speed: 'scale' }, 'speed'],
    [
      '/v1beta/models/gemini-2.0-flash:generateContent',
      { contents: [{ parts: [{ text: 'hi' }] }], service_tier: 'scale' },
      'service_tier',
    ],
  ])('a tier is not passed on by %s, and the row says so', async (path, body, member) => {
    const { other } = await rowOf(await world.post(path, body, { headers: { 'anthropic-version': '2023-06-01' } }))
    expect(readRequestBody()).not.toHaveProperty(member)
    expect(other).toMatchObject({ dropped: ['the service tier scale'] })
    expect(other).not.toHaveProperty('service_tier_ratio')
  })

  test('every tier is removed where the site sells none', async () => {
    await world.setOptions({ ServiceTierRatio: '{}' })
    await rowOf(await world.chat({ service_tier: 'flex' }))
    expect(readRequestBody()).not.toHaveProperty('service_tier')
    await world.setOptions({ ServiceTierRatio: '' })
  })

  test('the standard tier is left in the request', async () => {
    for (const service_tier of ['auto', 'default']) {
      const { other } = await rowOf(await world.chat({ service_tier }))
      expect(other).not.toHaveProperty('service_tier_ratio')
      expect(readRequestBody()).toMatchObject({ service_tier })
      world.simulator.reset()
    }
  })
})
