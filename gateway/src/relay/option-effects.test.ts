import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { defaultOptions, optionText, type OptionKey } from '@tollgate/contract'
import { faults, type FaultName } from '@tollgate/simulator'

import { eventually } from '../../test/eventually'
import { createRelayWorld, type RelayWorld } from '../../test/relay-world'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.simulator.reset()
  world.forgetHealth()
})

/** Changes options until the end of the block. */
async function switchOptions(texts: Partial<Record<OptionKey, string>>): Promise<AsyncDisposable> {
  await world.setOptions(texts)
  const keys = Object.keys(texts) as OptionKey[]
  const before = Object.fromEntries(keys.map((key) => [key, optionText(key, defaultOptions[key])]))
  return { [Symbol.asyncDispose]: () => world.setOptions(before) }
}

const everyCall = (fault: FaultName) => world.simulator.when(() => true, faults[fault])

describe('retries', () => {
  test('retries follow the statuses that the operator names', async () => {
    await world.addChannel()
    everyCall('status-500')
    await world.chat()
    expect(world.simulator.requests.length).toBeGreaterThan(1)
    world.simulator.reset()
    world.forgetHealth()
    await using _ = await switchOptions({ AutomaticRetryStatusCodes: '429' })
    everyCall('status-500')
    await world.chat()
    expect(world.simulator.requests).toHaveLength(1)
  })
})

describe('a channel that fails', () => {
  const isDisabledBy = async (fault: FaultName) => {
    const id = await world.addChannel({ priority: 9, models: 'gpt-4o' })
    world.simulator.next(faults[fault])
    await world.chat()
    const { query } = world.ctx.database
    const row = () => query.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const { status } = await eventually(async () => ((await row()).status === 3 ? row() : null))
    await world.changeChannel(id, { status: 2 })
    return status === 3
  }

  test('a channel is disabled after the statuses that the operator names', async () => {
    await using _ = await switchOptions({
      AutomaticDisableChannelEnabled: 'true',
      AutomaticDisableStatusCodes: '500-503',
    })
    expect(await isDisabledBy('status-500')).toBe(true)
  })

  test('a channel is disabled after the phrases that the operator names', async () => {
    await using _ = await switchOptions({
      AutomaticDisableChannelEnabled: 'true',
      AutomaticDisableKeywords: 'simulated UPSTREAM error 503',
    })
    expect(await isDisabledBy('status-503')).toBe(true)
  })
})

test('a passed-through request omits what the channel would add', async () => {
  const id = await world.addChannel({ priority: 8, models: 'gpt-4o', system_prompt: 'Be kind.' })
  await world.chat()
  await using _ = await switchOptions({ 'global.pass_through_request_enabled': 'true' })
  await world.chat()
  const sent = world.simulator.requests.map(({ body }) => body.includes('Be kind.'))
  await world.changeChannel(id, { status: 2 })
  expect(sent).toEqual([true, false])
})

describe('a user’s rate', () => {
  const statuses = async (key: string, calls: number) => {
    const all: number[] = []
    for (let call = 0; call < calls; call += 1) all.push((await world.chat({}, { key })).status)
    return all
  }

  test('a user’s calls are counted for as long as the operator sets', async () => {
    await using _ = await switchOptions({
      ModelRequestRateLimitEnabled: 'true',
      ModelRequestRateLimitCount: '1',
      ModelRequestRateLimitDurationMinutes: '2',
    })
    const key = await world.addToken(await world.addUser(1e9))
    expect(await statuses(key, 1)).toEqual([200])
    const refused = await world.chat({}, { key })
    expect(refused.status).toBe(429)
    // More than the default minute.
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
  })

  test('successful calls are counted separately', async () => {
    await using _ = await switchOptions({
      ModelRequestRateLimitEnabled: 'true',
      ModelRequestRateLimitSuccessCount: '1',
    })
    const key = await world.addToken(await world.addUser(1e9))
    everyCall('status-400')
    expect(await statuses(key, 2)).toEqual([400, 400])
    world.simulator.reset()
    expect(await statuses(key, 2)).toEqual([200, 429])
  })

  test('the rate of a group takes precedence where the group has one', async () => {
    await using _ = await switchOptions({
      ModelRequestRateLimitEnabled: 'true',
      ModelRequestRateLimitCount: '1',
      ModelRequestRateLimitGroup: '{"vip":[2,5]}',
    })
    await world.addChannel({ group: 'vip' })
    const key = await world.addToken(await world.addUser(1e9, { group: 'vip' }))
    expect(await statuses(key, 3)).toEqual([200, 200, 429])
  })
})

describe('the address that a key is bound to', () => {
  const headers = { 'x-real-ip': '198.51.100.1', 'cf-connecting-ip': '198.51.100.2' }
  const isLetIn = async (allow_ips: string) => {
    const key = await world.addToken(await world.addUser(1e9), { allow_ips })
    return (await world.chat({}, { key, headers })).status === 200
  }
  const letIn = async () => ({
    proxy: await isLetIn('127.0.0.1'),
    nginx: await isLetIn('198.51.100.1'),
    cloudflare: await isLetIn('198.51.100.2'),
  })

  test('the client’s address is read from the headers of trusted proxies unless that is switched off', async () => {
    expect(await letIn()).toEqual({ proxy: false, nginx: true, cloudflare: false })
    await using _ = await switchOptions({ ReverseProxyEnabled: 'false' })
    expect(await letIn()).toEqual({ proxy: true, nginx: false, cloudflare: false })
  })

  test('the client’s address is read from the header of the kind of proxy that the operator names', async () => {
    await using _ = await switchOptions({ ReverseProxyProvider: 'cloudflare' })
    expect(await letIn()).toEqual({ proxy: false, nginx: false, cloudflare: true })
  })
})

test('a model without a price can be called on a site in self-use mode', async () => {
  await world.addChannel({ models: 'kite-unpriced' })
  const call = async () => (await world.chat({ model: 'kite-unpriced' })).status
  expect(await call()).not.toBe(200)
  await using _ = await switchOptions({ SelfUseModeEnabled: 'true' })
  expect(await call()).toBe(200)
})

describe('a call', () => {
  const costIn = async (userGroup: string) => {
    await world.addChannel({ group: 'vip', models: 'gpt-4o' })
    const key = await world.addToken(await world.addUser(1e9, { group: userGroup }), { group: 'vip' })
    world.simulator.next({ promptTokens: 1000, tokens: 1 })
    const response = await world.chat({}, { key })
    const id = response.headers.get('x-request-id')
    await response.text()
    return (await world.logs()).find(({ request_id: known }) => known === id)?.quota ?? 0
  }

  test('a call costs the price times the ratio of its group and the special ratio of the user’s group', async () => {
    const usual = await costIn('vip')
    await using _ = await switchOptions({
      GroupRatio: '{"default":1,"vip":2,"staff":1}',
      GroupGroupRatio: '{"staff":{"vip":3}}',
      UserUsableGroups: '{"default":"","vip":""}',
    })
    expect(usual).toBeGreaterThan(0)
    expect(await costIn('vip')).toBe(2 * usual)
    expect(await costIn('staff')).toBe(3 * usual)
  })
})

describe('forbidden words', () => {
  const sendForbiddenWord = async () =>
    (await world.chat({ messages: [{ role: 'user', content: 'a test_sensitive word' }] })).status

  test('forbidden words pass where the filter is off', async () => {
    expect(await sendForbiddenWord()).toBe(400)
    await using _ = await switchOptions({ CheckSensitiveEnabled: 'false' })
    expect(await sendForbiddenWord()).toBe(200)
  })

  test('forbidden words pass where prompts are not checked', async () => {
    await using _ = await switchOptions({ CheckSensitiveOnPromptEnabled: 'false' })
    expect(await sendForbiddenWord()).toBe(200)
  })
})

describe('the largest response', () => {
  test('the largest response of a model that the catalog does not know is what the operator assumes', async () => {
    await world.setOptions({ ModelRatio: '{"kite-1":1}' })
    await world.addChannel({ models: 'kite-1' })
    const key = await world.addToken(await world.addUser(1_000))
    const readLoweredLimit = async () =>
      (await world.chat({ model: 'kite-1' }, { key })).headers.get('tollgate-max-tokens')
    expect(Number(await readLoweredLimit())).toBeGreaterThan(0)
    await using _ = await switchOptions({ AssumedOutputTokens: '10' })
    expect(await readLoweredLimit()).toBeNull()
  })
})

describe('the old billing endpoints', () => {
  const limit = async (key: string) => {
    const response = await fetch(`${world.url}/v1/dashboard/billing/subscription`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return (await response.json()) as object
  }

  test('the billing endpoints show quota where the site shows no currency', async () => {
    const key = await world.addToken(await world.addUser(1e9), { unlimited_quota: 0, remain_quota: 1_000_000 })
    expect(await limit(key)).toMatchObject({ hard_limit_usd: 2 })
    await using _ = await switchOptions({ DisplayInCurrencyEnabled: 'false' })
    expect(await limit(key)).toMatchObject({ hard_limit_usd: 1_000_000 })
  })

  test('the billing endpoints show the balance of the user where that is configured', async () => {
    const key = await world.addToken(await world.addUser(3_000_000), { unlimited_quota: 0, remain_quota: 1_000_000 })
    await using _ = await switchOptions({ DisplayTokenStatEnabled: 'false' })
    expect(await limit(key)).toMatchObject({ hard_limit_usd: 6 })
  })
})
