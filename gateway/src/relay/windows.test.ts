import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { createRelayWorld, type RelayWorld } from '../../test/relay-world'
import { aWindow, periodsOf } from '../../test/windows'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
  await world.addChannel({ type: 14, models: 'claude-sonnet-4-5' })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const messages = [{ role: 'user', content: 'hello' }]
const claude = { model: 'claude-sonnet-4-5', max_tokens: 9, messages }

/** Resolves with a rich user and a key; what limits them is in force at once. */
const aCaller = async (limit: (userId: number) => Promise<unknown>) => {
  const userId = await world.addUser(1e9)
  await limit(userId)
  return { userId, key: await world.addToken(userId) }
}
const readResponse = async (pending: Promise<Response>) => {
  const response = await pending
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('a window that is used up', () => {
  test('work in the background is held for what the narrowest of several windows of quota allows', async () => {
    const { database } = world.ctx
    const { key } = await aCaller(async (userId) => {
      for (const [name, limit] of Object.entries({ wide: 20_000, narrow: 10_000 }))
        await aWindow(database, userId, { name, measure: 'quota', limit_amount: limit })
    })
    const body = { model: 'gpt-4o', input: 'hello', background: true }
    expect((await world.post('/v1/responses', body, { key })).status).toBe(200)
    const [held] = await database.query.selectFrom('holds').select('amount').execute()
    expect(held?.amount ?? 10_000).toBeWithin(1, 10_001)
  })

  test('refuses as a rate limit, with its name, limit and reset, in each dialect', async () => {
    const { database } = world.ctx
    const { key } = await aCaller((userId) =>
      aWindow(database, userId, {
        name: 'Two an hour',
        limit_amount: 2,
        span: 'seconds',
        seconds: 3600,
        is_sliding: 1,
      }),
    )
    expect((await world.chat({}, { key })).status).toBe(200)
    expect((await world.post('/v1/messages', claude, { key })).status).toBe(200)
    const refused = await readResponse(world.chat({}, { key }))
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
    expect(JSON.stringify(refused.body)).toMatch(
      /The limit \\"Two an hour\\" is used up: 2 of 2 calls\. It begins anew at \d{4}-/,
    )
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds > 3500 && seconds <= 3600).toBe(true)
    expect(
      Object.fromEntries([...refused.headers].filter(([name]) => /ratelimit-(limit|remaining)/.test(name))),
    ).toEqual({
      'x-ratelimit-limit-requests': '2',
      'x-ratelimit-remaining-requests': '0',
    })
    const ofAnthropic = await readResponse(world.post('/v1/messages', claude, { key }))
    expect([ofAnthropic.status, ofAnthropic.body]).toMatchObject([
      429,
      { type: 'error', error: { type: 'rate_limit_error' } },
    ])
    expect(ofAnthropic.headers.get('anthropic-ratelimit-requests-limit')).toBe('2')
  })

  test('goes on with another model where the window says so, outside of the window', async () => {
    const { database } = world.ctx
    const { key, userId } = await aCaller((userId) =>
      aWindow(database, userId, { limit_amount: 1, fallback_model: 'gpt-4o-mini' }),
    )
    const modelOf = async () => (await readResponse(world.chat({ model: 'gpt-4o' }, { key }))).body
    expect(await modelOf()).toMatchObject({ model: 'gpt-4o' })
    expect(await modelOf()).toMatchObject({ model: 'gpt-4o-mini' })
    const rows = await world.chargesOf(userId, 2)
    expect(rows.map(({ model_name }) => model_name).toSorted()).toEqual(['gpt-4o', 'gpt-4o-mini'])
  })

  test.each([
    ['is not served', 'no-such-model'],
    ['has no price', 'unpriced-model'],
  ])('refuses by itself where the model that it names %s', async (_, fallback_model) => {
    const { database } = world.ctx
    await world.addChannel({ models: 'unpriced-model' })
    const { key } = await aCaller((userId) => aWindow(database, userId, { limit_amount: 1, fallback_model }))
    expect((await world.chat({}, { key })).status).toBe(200)
    const refused = await readResponse(world.chat({}, { key }))
    expect([refused.status, refused.body]).toMatchObject([429, { error: { code: 'rate_limit_exceeded' } }])
  })

  test('a call that failed at every channel is not counted', async () => {
    const { database } = world.ctx
    let window: Awaited<ReturnType<typeof aWindow>> | undefined
    const { key } = await aCaller(async (userId) => (window = await aWindow(database, userId, { limit_amount: 5 })))
    world.simulator.when(() => true, { fault: { kind: 'status', status: 400, body: '{}' } })
    expect((await world.chat({}, { key })).status).toBe(400)
    world.simulator.reset()
    expect((await world.chat({}, { key })).status).toBe(200)
    await world.ctx.ledger.waitUntilApplied()
    if (!window) throw new Error('No window')
    expect((await periodsOf(database, window)).map(({ used }) => used)).toEqual([1])
  })
})

describe('whose windows apply', () => {
  test('those of the group limit members who have none of their own, each by themselves', async () => {
    const { database, catalog } = world.ctx
    const { query } = database
    await aWindow(database, 0, { owner: 'group', limit_amount: 1 })
    await query.updateTable('windows').set({ ref: 'default' }).where('owner', '=', 'group').execute()
    await catalog.rebuild()
    const [one, other, own] = await Promise.all([
      aCaller(() => Promise.resolve()),
      aCaller(() => Promise.resolve()),
      aCaller((userId) => aWindow(database, userId, { limit_amount: 2 })),
    ])
    const statuses = async ({ key }: { key: string }, count: number) => {
      const found: number[] = []
      for (let call = 0; call < count; call += 1) found.push((await world.chat({}, { key })).status)
      return found
    }
    expect(await statuses(one, 2)).toEqual([200, 429])
    expect(await statuses(other, 2)).toEqual([200, 429])
    expect(await statuses(own, 3)).toEqual([200, 200, 429])
    await query.deleteFrom('windows').where('owner', '=', 'group').execute()
    await catalog.rebuild()
  })

  test('two keys of a user draw on the windows of the user, and each on its own', async () => {
    const { database } = world.ctx
    const userId = await world.addUser(1e9)
    await aWindow(database, userId, { limit_amount: 3 })
    const [first, second] = [await world.addToken(userId), await world.addToken(userId)]
    const { id } = await database.query
      .selectFrom('tokens')
      .select('id')
      .where('user_id', '=', userId)
      .orderBy('id')
      .executeTakeFirstOrThrow()
    await aWindow(database, id, { owner: 'token', limit_amount: 1 })
    const status = async (key: string) => (await world.chat({}, { key })).status
    expect([await status(first), await status(first)]).toEqual([200, 429])
    expect([await status(second), await status(second), await status(second)]).toEqual([200, 200, 429])
  })
})

describe('a cap on each call', () => {
  const makeCappedCaller = (measure: 'prompt_tokens' | 'completion_tokens' | 'quota', limit_amount: number) =>
    aCaller(async (userId) => {
      await world.ctx.database.query
        .insertInto('windows')
        .values({ owner: 'user', ref: String(userId), name: 'Cap', measure, limit_amount, span: 'call', created_at: 1 })
        .execute()
    })

  test('refuses a prompt that is longer, and one that costs more, before a channel is called', async () => {
    const long = { messages: [{ role: 'user', content: 'word '.repeat(400) }] }
    const { key } = await makeCappedCaller('prompt_tokens', 50)
    expect((await world.chat({}, { key })).status).toBe(200)
    const { status, body } = await readResponse(world.chat(long, { key }))
    expect([status, body]).toMatchObject([400, { error: { code: 'cap.prompt' } }])
    const { key: poor } = await makeCappedCaller('quota', 1)
    const dear = await readResponse(world.chat({ ...long, max_tokens: 1000 }, { key: poor }))
    expect([dear.status, dear.body]).toMatchObject([400, { error: { code: 'cap.price' } }])
    expect(world.simulator.requests).toHaveLength(1)
  })

  test('bounds the answer of a call that sets no limit, and refuses one that asks for more', async () => {
    const { key } = await makeCappedCaller('completion_tokens', 70)
    expect((await world.chat({}, { key })).status).toBe(200)
    expect(world.simulator.requests.at(-1)?.body).toMatch(/"max_(completion_)?tokens":70\b/)
    const { status, body } = await readResponse(world.chat({ max_tokens: 71 }, { key }))
    expect([status, body]).toMatchObject([400, { error: { code: 'cap.output' } }])
    expect((await world.chat({ max_tokens: 10, n: 8 }, { key })).status).toBe(400)
    expect((await world.chat({ n: 2 }, { key })).status).toBe(200)
    expect(world.simulator.requests.at(-1)?.body).toMatch(/"max_(completion_)?tokens":35\b/)
  })
})
