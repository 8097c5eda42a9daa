import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { sql } from 'kysely'

import { eventually } from '../../../test/eventually'
import { createRelayWorld, type LoggedRow, type RelayWorld } from '../../../test/relay-world'
import { findTexts } from '../../platform/telemetry/log-texts/stored-texts'

for (const kind of ['sqlite', 'postgres'] as const) {
  const isHere = kind === 'sqlite' || process.env['TEST_POSTGRES_URL'] !== undefined
  describe.skipIf(!isHere)(`money (${kind})`, () => {
    let world: RelayWorld
    beforeAll(async () => {
      world = await createRelayWorld({ kind })
    })
    afterAll(() => world[Symbol.asyncDispose]())
    beforeEach(() => world.simulator.reset())

    const rowOf = (response: Response) => rowBy(world, response.headers.get('x-request-id') ?? '')

    test('the charge is durable before the response is sent: price, usage and route are logged', async () => {
      world.simulator.next({ promptTokens: 1000, cachedTokens: 400, tokens: 10 })
      const row = await rowOf(await world.chat())
      // (600 + 400 x 0.5 + 10 x 4) x 1.25
      expect(row).toMatchObject({ quota: 1050, prompt_tokens: 1000, completion_tokens: 10, is_stream: 0, type: 2 })
      expect(JSON.parse(row.other)).toMatchObject({
        model_ratio: 1.25,
        completion_ratio: 4,
        cache_tokens: 400,
        admin_info: { use_channel: ['1'] },
      })
    })

    test('a stream is charged when its end mark arrives', async () => {
      world.simulator.next({ promptTokens: 100, tokens: 10 })
      const response = await world.chat({ stream: true })
      expect(await response.text()).toContain('[DONE]')
      expect(await rowOf(response)).toMatchObject({ quota: 175, is_stream: 1 })
    })

    test('the client’s address is recorded in the rows of users who want it, and in no others', async () => {
      await world.setOptions({ LogErrorEnabled: 'true' })
      for (const [setting, address] of [
        ['{}', ''],
        ['{"show_ip_in_logs":false}', ''],
        ['{"show_ip_in_logs":true}', '127.0.0.1'],
      ] as const) {
        const key = await world.addToken(await world.addUser(10_000, { setting }))
        expect((await rowOf(await world.chat({}, { key }))).client_ip).toBe(address)
        world.simulator.next({ fault: { kind: 'status', status: 400, body: {} } })
        expect((await rowOf(await world.chat({}, { key }))).client_ip).toBe(address)
      }
      await world.setOptions({ LogErrorEnabled: 'false' })
    })

    test('missing usage is counted here and marked', async () => {
      world.simulator.next({ usage: 'none', text: 'hello hello' })
      const row = await rowOf(await world.chat())
      expect(row.prompt_tokens).toBeGreaterThan(3)
      expect(row.completion_tokens).toBe(2)
      expect(JSON.parse(row.other)).toMatchObject({ estimated: true })
    })

    test.each([
      { prompt_tokens: -5, completion_tokens: 1e18 },
      [1],
      'many',
      { prompt_tokens: 1.5, completion_tokens: 2 },
    ])('usage that cannot be believed is counted here: %j', async (usageOverride) => {
      world.simulator.next({ usageOverride })
      const row = await rowOf(await world.chat())
      expect(JSON.parse(row.other)).toMatchObject({ estimated: true })
      expect(row.quota).toBeGreaterThan(0)
    })

    test('a client that leaves midway is charged once for what was generated', async () => {
      world.simulator.next({ tokens: 200, gapMs: 5 })
      const controller = new AbortController()
      const response = await world.chat({ stream: true }, { signal: controller.signal })
      const reader = response.body?.getReader()
      await reader?.read()
      controller.abort()
      expect(await (await world.simulator.arrival(1)).ended).toBe('aborted')
      expect(await world.inFlight.whenIdle(5000)).toBe(true)
      const row = await rowOf(response)
      expect(JSON.parse(row.other)).toMatchObject({ estimated: true, ending: 'abandoned' })
      expect(row.completion_tokens).toBeLessThan(200)
    })

    test('a draining channel learns the usage after the client left', async () => {
      const id = await world.addChannel({ priority: 5, setting: '{"on_disconnect":"drain"}' })
      world.simulator.next({ tokens: 40, gapMs: 5 })
      const controller = new AbortController()
      const response = await world.chat({ stream: true }, { signal: controller.signal })
      await response.body?.getReader().read()
      controller.abort()
      expect(await (await world.simulator.arrival(1)).ended).toBe('completed')
      expect(await world.inFlight.whenIdle(5000)).toBe(true)
      await world.changeChannel(id, { status: 2 })
      expect(await rowOf(response)).toMatchObject({ completion_tokens: 40 })
    })

    test('fifty simultaneous calls on a balance for one do not overspend it', async () => {
      const estimate = 625
      const user = await world.addUser(estimate)
      const key = await world.addToken(user)
      const responses = await Promise.all(Array.from({ length: 50 }, () => world.chat({}, { key })))
      const statuses = responses.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 403)).toHaveLength(49)
      expect(world.simulator.requests).toHaveLength(1)
    })

    test('a key’s own limit refuses calls as well', async () => {
      const user = await world.addUser(1_000_000)
      const key = await world.addToken(user, { unlimited_quota: 0, remain_quota: 10 })
      const response = await world.chat({}, { key })
      expect(response.status).toBe(403)
      expect(await response.text()).toContain('"code":"insufficient_quota"')
    })

    test('a failed call releases its whole hold', async () => {
      const user = await world.addUser(5000)
      const key = await world.addToken(user)
      world.simulator.next({ fault: { kind: 'status', status: 500 } })
      expect((await world.chat({}, { key })).status).toBe(502)
      expect((await world.ctx.ledger.balanceOf([user])).get(user)).toBe(5000)
    })

    test('a model without a price is refused unless its caller accepts the ceiling', async () => {
      const id = await world.addChannel({ models: 'homemade' })
      expect((await world.chat({ model: 'homemade' })).status).toBe(400)
      const user = await world.addUser(1e9, { setting: '{"accept_unset_model_ratio_model":true}' })
      const key = await world.addToken(user)
      world.simulator.next({ promptTokens: 10, tokens: 2 })
      const row = await rowOf(await world.chat({ model: 'homemade' }, { key }))
      await world.changeChannel(id, { status: 2 })
      expect(row.quota).toBe(450)
    })

    test('conversation texts are logged where the site wants them, and bounded', async () => {
      await world.setOptions({ LogChatContentEnabled: 'true' })
      const messages = [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'x'.repeat(100_000) },
      ]
      world.simulator.next({ text: 'yes' })
      const row = await rowOf(await world.chat({ messages }))
      await world.setOptions({ LogChatContentEnabled: 'false' })
      expect(row.other).not.toContain('yes')
      const texts = await eventually(() => findTexts(world.ctx.database.query, row.request_id, world.ctx.seal))
      expect(texts).toMatchObject({ context: 'be brief', output_content: 'yes' })
      expect(texts.input_content).toHaveLength(32 * 1024)
      const unlogged = await rowOf(await world.chat({ messages }))
      expect(await findTexts(world.ctx.database.query, unlogged.request_id, world.ctx.seal)).toBeNull()
    })

    test('texts that cannot be written do not cost a charge', async () => {
      await world.setOptions({ LogChatContentEnabled: 'true' })
      const { query } = world.ctx.database
      await sql`alter table log_texts rename to log_texts_away`.execute(query)
      const user = await world.addUser(1_000_000)
      const key = await world.addToken(user)
      const responses = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          world.simulator.next({ promptTokens: 100, tokens: 10 })
          const response = await world.chat({ stream: index % 2 === 0 }, { key })
          await response.text()
          return response
        }),
      )
      await world.setOptions({ LogChatContentEnabled: 'false' })
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
      const rows = await eventually(async () => {
        const found = (await world.logs()).filter((row) => row.user_id === user)
        return found.length === 20 ? found : null
      })
      const spent = rows.reduce((sum, { quota }) => sum + quota, 0)
      expect(spent).toBe(20 * 175)
      expect((await world.ctx.ledger.balanceOf([user])).get(user)).toBe(1_000_000 - spent)
      expect(world.ctx.logTexts.queued.entries).toBe(20)
      await sql`alter table log_texts_away rename to log_texts`.execute(query)
    })

    test('the charge is made even when consumption is not logged', async () => {
      const user = await world.addUser(1_000_000)
      const key = await world.addToken(user)
      await world.setOptions({ LogConsumeEnabled: 'false' })
      const before = (await world.logs()).length
      world.simulator.next({ promptTokens: 100, tokens: 10 })
      await (await world.chat({}, { key })).json()
      await world.setOptions({ LogConsumeEnabled: 'true' })
      expect((await world.logs()).length).toBe(before)
      const balance = await eventually(async () => {
        const left = (await world.ctx.ledger.balanceOf([user])).get(user)
        return left === 1_000_000 ? null : left
      })
      expect(balance).toBe(1_000_000 - 175)
    })
  })
}

/** Resolves with the row of a call. With PostgreSQL it is journaled first and applied shortly after. */
const rowBy = (world: RelayWorld, requestId: string): Promise<LoggedRow> =>
  eventually(async () => (await world.logs()).find((row) => row.request_id === requestId))
