import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type PostOptions, type RelayWorld } from '../../../test/relay-world'

/*
 * gpt-4o: a prompt token costs 1.25, an output token 5, a response has at most 16,384. gpt-5 (0.625 and 5) reasons, and has
 * at most 128,000.
 */
let world: RelayWorld
let standard: number
beforeAll(async () => {
  world = await createRelayWorld()
  standard = (await world.ctx.database.query.selectFrom('channels').select('id').executeTakeFirstOrThrow()).id
  await world.changeChannel(standard, { models: 'gpt-4o,gpt-5,gpt-3.5-turbo-instruct,text-embedding-3-small' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

async function aPayer(quota: number, keyQuota?: number) {
  const { userId, key } = await world.addPayer(quota, keyQuota)
  return { user: userId, options: { key } satisfies PostOptions, balance: () => world.balanceOf(userId) }
}

const bodies = () => world.simulator.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
const lastRow = async () => (await world.logs()).at(-1)
const readLoweredLimit = (response: Response) => Number(response.headers.get('tollgate-max-tokens'))

describe('a balance that pays for the largest response', () => {
  test('a sufficient balance leaves the body unchanged', async () => {
    const { options } = await aPayer(100_000)
    const body = '{ "messages":[{"role":"user","content":"hi"}], "model":"gpt-4o" }'
    const response = await world.post('/v1/chat/completions', body, options)
    expect([response.status, response.headers.get('tollgate-max-tokens')]).toEqual([200, null])
    expect(world.simulator.requests[0]?.body).toBe(body)
    await response.text()
    expect(JSON.parse((await lastRow())?.other ?? '{}')).not.toHaveProperty('max_tokens_lowered')
  })
})

describe('a balance that does not pay for the largest response', () => {
  test('a low balance reduces the limit of a response in one piece to a quarter of itself, and reports it', async () => {
    const { options, balance } = await aPayer(10_000)
    world.simulator.next({ tokens: 9000 })
    const body = '{"messages":[{"role":"user","content":"hi"}], "top_p":1.0, "model":"gpt-4o"}'
    const response = await world.post('/v1/chat/completions', body, options)
    const limit = readLoweredLimit(response)
    expect(limit).toBeGreaterThan(480)
    expect(limit).toBeLessThan(500)
    expect(world.simulator.requests[0]?.body).toBe(`${body.slice(0, -1)},"max_tokens":${limit}}`)
    expect(await response.json()).toMatchObject({ choices: [{ finish_reason: 'length' }] })
    expect(JSON.parse((await lastRow())?.other ?? '{}')).toMatchObject({ max_tokens_lowered: limit })
    expect(await balance()).toBeGreaterThan(7_400)
  })

  test('a usage far above the reduced limit is rejected', async () => {
    const { options, balance } = await aPayer(10_000)
    world.simulator.next({ text: 'short', usageOverride: { prompt_tokens: 5, completion_tokens: 15_000 } })
    await (await world.chat({}, options)).text()
    expect(JSON.parse((await lastRow())?.other ?? '{}')).toMatchObject({ usage_capped: { completion_tokens: 15_000 } })
    expect(await balance()).toBeGreaterThan(9_900)
  })

  test('a low balance reduces the limit of a stream with visible cost to all that it can pay', async () => {
    const { options, balance } = await aPayer(10_000)
    const response = await world.chat({ stream: true }, options)
    expect(readLoweredLimit(response)).toBeGreaterThan(1990)
    expect(readLoweredLimit(response)).toBeLessThan(2000)
    await response.text()
    expect(await balance()).toBeGreaterThan(9000)
  })

  test('a low balance reduces the limit of a stream with hidden reasoning to what is held', async () => {
    const { options } = await aPayer(10_000)
    const response = await world.chat({ model: 'gpt-5', stream: true }, options)
    expect(readLoweredLimit(response)).toBeGreaterThan(480)
    expect(readLoweredLimit(response)).toBeLessThan(500)
    expect(bodies()[0]).toMatchObject({ max_completion_tokens: readLoweredLimit(response) })
    expect(bodies()[0]).not.toHaveProperty('max_tokens')
    await response.text()
  })

  test('a low balance is shared among all requested choices', async () => {
    const { options, balance } = await aPayer(10_000)
    world.simulator.next({ tokens: 9000 })
    const response = await world.chat({ n: 4 }, options)
    expect(readLoweredLimit(response)).toBeGreaterThan(110)
    expect(readLoweredLimit(response)).toBeLessThan(125)
    await response.text()
    expect(await balance()).toBeGreaterThan(7_400)
  })

  test('a low balance refuses a limit of the caller’s that it cannot pay', async () => {
    const { options, balance } = await aPayer(10_000)
    for (const fields of [{ max_tokens: 2000 }, { max_completion_tokens: 2000 }, { max_tokens: 500, n: 4 }]) {
      const response = await world.chat(fields, options)
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ error: { code: 'insufficient_quota' } })
    }
    expect((await world.chat({ max_tokens: 1900 }, options)).status).toBe(200)
    expect(await balance()).toBeLessThan(10_000)
    expect(world.simulator.requests).toHaveLength(1)
  })

  test('a low balance refuses the call where the site does not want limits reduced', async () => {
    const { options } = await aPayer(10_000)
    await world.setOptions({ LowerMaxTokensEnabled: 'false' })
    expect((await world.chat({}, options)).status).toBe(403)
    await world.setOptions({ LowerMaxTokensEnabled: 'true' })
    expect((await world.chat({}, options)).status).toBe(200)
  })

  test('a balance below the smallest hold refuses the call', async () => {
    const { options } = await aPayer(624)
    expect((await world.chat({}, options)).status).toBe(403)
    await world.setOptions({ PreConsumedQuota: '100' })
    expect((await world.chat({}, options)).status).toBe(200)
    await world.setOptions({ PreConsumedQuota: '500' })
  })

  test('the low balance may be that of a limited key', async () => {
    const { options } = await aPayer(100_000_000, 10_000)
    const response = await world.chat({}, options)
    expect(readLoweredLimit(response)).toBeGreaterThan(480)
    expect(readLoweredLimit(response)).toBeLessThan(500)
    await response.text()
  })

  test('a low balance does not change calls that generate no text', async () => {
    const { options } = await aPayer(10_000)
    const body = '{"model":"text-embedding-3-small","input":"hi"}'
    expect((await world.post('/v1/embeddings', body, options)).status).toBe(200)
    expect(world.simulator.requests[0]?.body).toBe(body)
  })

  test('any number of simultaneous calls does not overspend a balance', async () => {
    const { options, balance } = await aPayer(10_000)
    world.simulator.when(() => true, { tokens: 16_000 })
    const responses = await Promise.all(Array.from({ length: 50 }, () => world.chat({}, options)))
    const served = responses.filter(({ status }) => status === 200)
    expect(served.length).toBeGreaterThan(3)
    expect(responses.filter(({ status }) => status !== 200 && status !== 403)).toEqual([])
    expect(await balance()).toBeGreaterThanOrEqual(0)
  })
})

describe('the hold covers what the request may cause', () => {
  const long = 'word '.repeat(4000)
  const claude = 'claude-sonnet-4-5'
  let other: number
  beforeAll(async () => {
    await world.changeChannel(standard, { models: 'gpt-4o,gpt-5,gpt-5.6,gpt-audio,gpt-3.5-turbo-instruct' })
    other = await world.addChannel({ type: 14, models: claude })
  })
  afterAll(() => world.changeChannel(other, { status: 2 }))

  /** Returns whether a balance of this much quota pays for the call. */
  async function isPaid(quota: number, path: string, body: object): Promise<boolean> {
    const { options } = await aPayer(quota)
    const response = await world.post(path, body, options)
    await response.text()
    return response.status === 200
  }

  test('the hold covers a prompt marked for the cache, at the price of its lifetime', async () => {
    // 5,003 to 5,015 tokens at 1.5; at 1.875 for five minutes and 3 for an hour; 10 tokens of output at 7.5.
    const message = (mark: object) => ({
      model: claude,
      max_tokens: 10,
      messages: [{ role: 'user', content: [{ type: 'text', text: long, ...mark }] }],
    })
    const plain = message({})
    const short = message({ cache_control: { type: 'ephemeral' } })
    const hour = message({ cache_control: { type: 'ephemeral', ttl: '1h' } })
    const isMessagePaid = async (quota: number, body: object) => isPaid(quota, '/v1/messages', body)
    expect([await isMessagePaid(7_800, plain), await isMessagePaid(7_800, short)]).toEqual([true, false])
    expect([await isMessagePaid(9_700, short), await isMessagePaid(9_700, hour)]).toEqual([true, false])
    expect(await isMessagePaid(15_300, hour)).toBe(true)
  })

  test('the hold covers a prompt that the vendor may cache by itself, where that has a price', async () => {
    const body = (model: string) => ({ model, max_tokens: 10, messages: [{ role: 'user', content: long }] })
    const path = '/v1/chat/completions'
    // gpt-5.6: 5,010 tokens at 2, at 2.5 when they are written; 10 of output at 10.
    expect([await isPaid(11_000, path, body('gpt-5.6')), await isPaid(12_800, path, body('gpt-5.6'))]).toEqual([
      false,
      true,
    ])
    expect(await isPaid(6_400, path, body('gpt-4o'))).toBe(true)
  })

  test('the hold covers a response that may be spoken', async () => {
    // gpt-audio: 5 a token of text, 32 a token of speech.
    const body = { model: 'gpt-audio', max_tokens: 1000, messages: [{ role: 'user', content: 'hi' }] }
    const path = '/v1/chat/completions'
    expect(await isPaid(6_000, path, body)).toBe(true)
    const spoken = { ...body, modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }
    expect([await isPaid(6_000, path, spoken), await isPaid(32_100, path, spoken)]).toEqual([false, true])
  })
})

describe('a refusal', () => {
  test('a refusal does not tell a key how much its owner has left', async () => {
    const user = await world.addUser(7_654)
    for (const values of [{}, { unlimited_quota: 0, remain_quota: 1_000_000 }]) {
      const key = await world.addToken(user, values)
      const response = await world.chat({ max_tokens: 5000 }, { key })
      expect(response.status).toBe(403)
      const text = await response.text()
      expect(text).toContain('"code":"insufficient_quota"')
      expect(text).not.toMatch(/7,?654/)
    }
  })

  test('a refusal tells a limited key what it has left itself', async () => {
    const { options } = await aPayer(7_654_321, 4_321)
    expect(await (await world.chat({ max_tokens: 5000 }, options)).text()).toContain('4321 left')
  })
})

describe('the reduced limit', () => {
  const hi = [{ role: 'user', content: 'hi' }]

  test('the reduced limit is a member of its own in Responses', async () => {
    const { options } = await aPayer(10_000)
    const body = '{"model":"gpt-4o","input":"hi"}'
    const response = await world.post('/v1/responses', body, options)
    expect(world.simulator.requests[0]?.body).toBe(
      `${body.slice(0, -1)},"max_output_tokens":${readLoweredLimit(response)}}`,
    )
  })

  test('the reduced limit is inserted into the text of completions', async () => {
    const { options } = await aPayer(3000)
    const response = await world.post('/v1/completions', { model: 'gpt-3.5-turbo-instruct', prompt: 'hi' }, options)
    expect(bodies()[0]).toMatchObject({ max_tokens: readLoweredLimit(response) })
  })

  test('the reduced limit is part of Gemini’s configuration, whose other members stay unchanged', async () => {
    const id = await world.addChannel({ type: 24, models: 'gemini-2.0-flash', priority: 5 })
    const { options } = await aPayer(200)
    const path = '/v1beta/models/gemini-2.0-flash:generateContent'
    const contents = '"contents":[{"role":"user","parts":[{"text":"hi"}]}]'
    const plain = await world.post(path, `{${contents}}`, options)
    expect(world.simulator.requests[0]?.body).toBe(
      `{${contents},"generationConfig":{"maxOutputTokens":${readLoweredLimit(plain)}}}`,
    )
    const configured = await world.post(path, `{"generation_config": {"top_p":1.0},${contents}}`, options)
    expect(world.simulator.requests[1]?.body).toBe(
      `{"generation_config": {"maxOutputTokens":${readLoweredLimit(configured)},"top_p":1.0},${contents}}`,
    )
    await world.changeChannel(id, { status: 2 })
  })

  test('the reduced limit is translated with the call', async () => {
    const id = await world.addChannel({ type: 14, models: 'claude-3-5-haiku-20241022', priority: 5 })
    const { options } = await aPayer(4000)
    const response = await world.chat({ model: 'claude-3-5-haiku-20241022' }, options)
    expect(readLoweredLimit(response)).toBeGreaterThan(0)
    expect(bodies()[0]).toMatchObject({ max_tokens: readLoweredLimit(response) })
    await world.changeChannel(id, { status: 2 })
  })

  test('the reduced limit is sent upstream although the channel passes bodies through', async () => {
    await world.changeChannel(standard, { setting: '{"pass_through_body_enabled":true}' })
    const { options } = await aPayer(10_000)
    const response = await world.chat({ model: 'gpt-5', messages: hi }, options)
    expect(bodies()[0]).toMatchObject({ max_completion_tokens: readLoweredLimit(response) })
    await world.changeChannel(standard, { setting: '{}' })
  })
})

describe('a name that channels give to models of different prices', () => {
  const usage = { promptTokens: 100, tokens: 10 }

  async function twoPrices(priorities: { readonly cheap: number; readonly dear: number }) {
    await world.setOptions({ ModelRatio: '{"cheap":1,"dear":100}', CompletionRatio: '{"cheap":1,"dear":1}' })
    const ids = [
      await world.addChannel({ models: 'public', model_mapping: '{"public":"cheap"}', priority: priorities.cheap }),
      await world.addChannel({ models: 'public', model_mapping: '{"public":"dear"}', priority: priorities.dear }),
      await world.addChannel({ models: 'public', model_mapping: '{"public":"unheard-of"}', priority: 100 }),
    ]
    return {
      async [Symbol.asyncDispose]() {
        for (const id of ids) await world.changeChannel(id, { status: 2 })
        await world.setOptions({ ModelRatio: '{}', CompletionRatio: '{}' })
      },
    }
  }

  test('a call is charged by the price of the channel that served', async () => {
    for (const [priorities, cost] of [
      [{ cheap: 2, dear: 1 }, 110],
      [{ cheap: 1, dear: 2 }, 11_000],
    ] as const) {
      await using _ = await twoPrices(priorities)
      world.simulator.next(usage)
      const response = await world.chat({ model: 'public' })
      expect(response.status).toBe(200)
      await response.text()
      const row = await lastRow()
      expect(row?.quota).toBe(cost)
      expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ model_ratio: cost === 110 ? 1 : 100 })
    }
  })

  test('a call is charged by the price of the second channel when the first failed', async () => {
    await using _ = await twoPrices({ cheap: 2, dear: 1 })
    await world.setOptions({ RetryTimes: '1' })
    world.simulator.next({ fault: { kind: 'status', status: 500 } })
    world.simulator.next(usage)
    await (await world.chat({ model: 'public' })).text()
    expect((await lastRow())?.quota).toBe(11_000)
  })

  test('a call holds the most expensive price, and never tries a channel without a price', async () => {
    await using _ = await twoPrices({ cheap: 2, dear: 1 })
    const { options } = await aPayer(5000)
    expect((await world.chat({ model: 'public', max_tokens: 60 }, options)).status).toBe(403)
    expect((await world.chat({ model: 'public', max_tokens: 20 }, options)).status).toBe(200)
    expect(bodies()).toMatchObject([{ model: 'cheap' }])
  })
})
