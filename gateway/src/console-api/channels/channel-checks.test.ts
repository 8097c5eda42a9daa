import { afterAll, describe, expect, test } from 'bun:test'

import { channelRoutes } from '@tollgate/contract'

import { canary, createChannelWorld } from '../../../test/channel-world'
import { kinds, onceOf } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { startRun } from '../../channels/channel-run'
import { testableChannels, testAndSwitchChannel } from '../../channels/test-and-switch-channel'
import { queryVendorBalances } from '../../app/jobs/job-table'
import { FakeTime } from '../../../test/fake-time'

/** The requests that the simulated vendor received, and its responses by path. */
const requests: { path: string; key: string | null; body: unknown }[] = []
const responses: Record<string, () => Response> = {}

const vendor = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    const text = await request.text()
    requests.push({ path: pathname, key: request.headers.get('authorization'), body: text && JSON.parse(text) })
    return responses[pathname]?.() ?? new Response('nothing here', { status: 404 })
  },
})
afterAll(() => vendor.stop(true))

const base_url = `http://127.0.0.1:${vendor.port}`
const chat = '/v1/chat/completions'
const works = () => Response.json({ id: 'x', choices: [{ message: { role: 'assistant', content: 'hi' } }] })
const refuses = () =>
  Response.json({ error: { message: `Bad key sk-${canary}`, code: 'invalid_api_key' } }, { status: 401 })

async function anEmptyStage(kind: (typeof kinds)[number], options: Parameters<typeof createChannelWorld>[1] = {}) {
  requests.length = 0
  for (const path of Object.keys(responses)) delete responses[path]
  return createChannelWorld(kind, options)
}

type World = Awaited<ReturnType<typeof anEmptyStage>>

async function setOptions(world: World, values: Record<string, string>) {
  const rows = Object.entries(values).map(([key, value]) => ({ key, value }))
  await world.ctx.database.query.insertInto('options').values(rows).execute()
  await world.ctx.catalog.rebuild()
}

for (const kind of kinds) {
  const once = onceOf(kind)

  describe(`testing a channel (${kind})`, () => {
    once(
      'a test sends a short call like a client’s, without the system prompt, and stores how long it took',
      async () => {
        await using world = await anEmptyStage(kind)
        responses[chat] = works
        const mapping = { model_mapping: '{"gpt-4o":"real"}', system_prompt: 'Be kind.' }
        const { id } = await world.aChannel({ base_url, ...mapping })
        const result = await world.ask('GET', `/api/channel/test/${id}`)
        expect([result.success, typeof result.envelopeFields['time']]).toEqual([true, 'number'])
        const body = { model: 'real', messages: [{ role: 'user', content: 'hi' }], max_tokens: 10, stream: false }
        expect(requests).toEqual([{ path: chat, key: `Bearer sk-${canary}`, body }])
        expect((await world.one(id)).test_time).toBeGreaterThan(0)
      },
    )

    once('a failed test returns its time as well', async () => {
      await using world = await anEmptyStage(kind)
      responses[chat] = refuses
      const { id } = await world.aChannel({ base_url })
      const result = await world.ask('GET', `/api/channel/test/${id}`)
      expect([result.success, result.code, typeof result.envelopeFields['time']]).toEqual([
        false,
        'channel.test_failed',
        'number',
      ])
    })

    once('a test calls the mode that the model is for', async () => {
      await using world = await anEmptyStage(kind)
      responses['/v1/embeddings'] = () => Response.json({ data: [{ embedding: [1] }] })
      responses['/v1/moderations'] = () => Response.json({ results: [{ flagged: false }] })
      const { id } = await world.aChannel({ base_url, test_model: 'text-embedding-3-small' })
      expect((await world.ask('GET', `/api/channel/test/${id}`)).success).toBe(true)
      expect((await world.ask('GET', `/api/channel/test/${id}?model=omni-moderation-latest`)).success).toBe(true)
      expect(requests.map(({ path }) => path)).toEqual(['/v1/embeddings', '/v1/moderations'])
    })

    once('a test makes no video: it calls another model of the channel, or refuses', async () => {
      await using world = await anEmptyStage(kind)
      responses[chat] = works
      const { id } = await world.aChannel({ base_url, models: 'veo-3.1-generate-001,gpt-4o' })
      expect((await world.ask('GET', `/api/channel/test/${id}`)).success).toBe(true)
      expect(requests.map(({ body }) => body)).toMatchObject([{ model: 'gpt-4o' }])
      const { id: other } = await world.aChannel({ base_url, models: 'MiniMax-Hailuo-2.3' })
      expect((await world.ask('GET', `/api/channel/test/${other}`)).code).toBe('channel.test_unsupported')
      expect(requests).toHaveLength(1)
    })

    once('a failed test is reported without the key, and its time is stored', async () => {
      await using world = await anEmptyStage(kind)
      const { id } = await world.aChannel({ base_url })
      for (const [respond, expectedText] of [
        [refuses, 'Bad key [key]'],
        [() => new Response('<html>'), 'is not JSON'],
        [() => Response.json({ error: { message: 'Overloaded' } }), 'Overloaded'],
      ] as const) {
        responses[chat] = respond
        const { code, message } = await world.ask('GET', `/api/channel/test/${id}`)
        expect([code, message]).toEqual(['channel.test_failed', expect.stringContaining(expectedText)])
      }
      expect((await world.one(id)).test_time).toBeGreaterThan(0)
      expect((await world.one(id)).status).toBe(1)
      expect(await world.codeOf('GET', '/api/channel/test/999')).toBe('channel.none')
    })

    once('a test shows nothing of a page that is not an error of a model API', async () => {
      await using world = await anEmptyStage(kind)
      const { id } = await world.aChannel({ base_url })
      responses[chat] = () => new Response('internal admin panel: db password is hunter2', { status: 404 })
      const { message } = await world.ask('GET', `/api/channel/test/${id}`)
      expect(message).toContain('HTTP status 404')
      const logRows = await world.ctx.database.query.selectFrom('logs').select(['content', 'other']).execute()
      expect(JSON.stringify([message, logRows])).not.toContain('hunter2')
    })

    test('a test of all channels disables what fails and enables what works again, where that is allowed', async () => {
      await using world = await anEmptyStage(kind)
      responses[chat] = refuses
      const banned = await world.aChannel({ base_url })
      const spared = await world.aChannel({ base_url, auto_ban: 0 })
      const off = await world.aChannel({ base_url })
      await world.ask('PUT', '/api/channel/', { id: off.id, status: 2 })
      const testAll = async () => {
        const run = await startRun(world.ctx, 'channel-test', testableChannels(world.ctx), (id) =>
          testAndSwitchChannel(world.ctx, id),
        )
        await run?.ended
        const statuses = [banned, spared, off].map(async ({ id }) => (await world.one(id)).status)
        return Promise.all(statuses)
      }
      expect(await testAll()).toEqual([1, 1, 2])
      await setOptions(world, { AutomaticDisableChannelEnabled: 'true', AutomaticEnableChannelEnabled: 'true' })
      expect(await testAll()).toEqual([3, 1, 2])
      const progress = channelRoutes.RunProgress.parse((await world.ask('GET', '/api/channel/test/progress')).data)
      expect(progress).toMatchObject({ is_running: false, total: 2, done: 2, failed: 2 })
      responses[chat] = works
      expect(await testAll()).toEqual([1, 1, 2])
    })

    once(
      'a test of one channel only reports: a disabled channel stays disabled though it works, even where a test of all enables it',
      async () => {
        await using world = await anEmptyStage(kind)
        responses[chat] = works
        const { id } = await world.aChannel({ base_url })
        await setOptions(world, { AutomaticEnableChannelEnabled: 'true', AutomaticDisableChannelEnabled: 'true' })
        await world.ctx.database.query.updateTable('channels').set({ status: 3 }).where('id', '=', id).execute()
        await world.ctx.catalog.rebuild()
        expect((await world.ask('GET', `/api/channel/test/${id}`)).success).toBe(true)
        expect((await world.one(id)).status).toBe(3)
        expect(await testAndSwitchChannel(world.ctx, id)).toBe(true)
        expect((await world.one(id)).status).toBe(1)
      },
    )

    once('a test that takes longer than the operator allows counts as failed', async () => {
      const time = new FakeTime()
      await using world = await anEmptyStage(kind, { clock: time })
      responses[chat] = () => {
        time.advance(6_000_000)
        return works()
      }
      const { id } = await world.aChannel({ base_url })
      await setOptions(world, { AutomaticDisableChannelEnabled: 'true', ChannelDisableThreshold: '0' })
      expect(await testAndSwitchChannel(world.ctx, id)).toBe(true)
      await setOptionsIn(world.ctx, { ChannelDisableThreshold: '5000' })
      expect(await testAndSwitchChannel(world.ctx, id)).toBe(false)
      expect((await world.one(id)).status).toBe(3)
    })

    once('a test of all channels runs once at a time', async () => {
      await using world = await anEmptyStage(kind)
      const gate = Promise.withResolvers<boolean>()
      const run = await startRun(world.ctx, 'channel-test', [1], () => gate.promise)
      expect(await world.codeOf('GET', '/api/channel/test')).toBe('channel.testing')
      gate.resolve(true)
      await run?.ended
    })

    once('a test of all channels stops when it is cancelled', async () => {
      await using world = await anEmptyStage(kind)
      const stop = new AbortController()
      const seen: number[] = []
      const step = async (id: number) => {
        seen.push(id)
        stop.abort()
        return true
      }
      const run = await startRun(world.ctx, 'channel-test', [1, 2, 3], step, stop.signal)
      await run?.ended
      expect(seen).toEqual([1])
      expect((await world.ask('GET', '/api/channel/test/progress')).data).toMatchObject({ is_running: false, done: 1 })
    })
  })

  describe(`requests to a vendor (${kind})`, () => {
    once('the balance is limit minus usage, summed over the keys', async () => {
      await using world = await anEmptyStage(kind)
      responses['/v1/dashboard/billing/subscription'] = () =>
        Response.json({ hard_limit_usd: 20, has_payment_method: true })
      responses['/v1/dashboard/billing/usage'] = () => Response.json({ total_usage: 500 })
      const { id } = await world.aChannel({ base_url, key: `a-${canary},b-${canary}` })
      const result = await world.ask('GET', `/api/channel/update_balance/${id}/`)
      expect([result.success, result.envelopeFields['balance'], result.envelopeFields['currency']]).toEqual([
        true,
        30,
        'USD',
      ])
      expect(await world.one(id)).toMatchObject({ balance: 30, balance_currency: 'USD' })
      expect(new Set(requests.map(({ key }) => key))).toEqual(new Set([`Bearer a-${canary}`, `Bearer b-${canary}`]))
    })

    once(
      'vendors are asked at the interval of the site, and a balance that falls below its threshold is reported once',
      async () => {
        const time = new FakeTime(1_800_000_000_123)
        await using world = await anEmptyStage(kind, { clock: time })
        let used = 500
        responses['/v1/dashboard/billing/subscription'] = () =>
          Response.json({ hard_limit_usd: 20, has_payment_method: true })
        responses['/v1/dashboard/billing/usage'] = () => Response.json({ total_usage: used })
        const { id } = await world.aChannel({ base_url })
        await setOptions(world, { VendorBalanceMinutes: '60', VendorBalanceThreshold: '12' })
        const job = queryVendorBalances(world.ctx)
        const { signal } = new AbortController()
        const runAndReadEvents = async () => {
          await job.run(signal)
          const rows = await world.ctx.database.query.selectFrom('operator_events').selectAll().execute()
          const { balance } = await world.one(id)
          return [balance, ...rows.map(({ kind: event, facts, last_at: at }) => [event, JSON.parse(facts), at])]
        }
        expect(await runAndReadEvents()).toEqual([15])
        used = 900
        expect(await runAndReadEvents()).toEqual([15])
        time.advance(3_600_000)
        const facts = { name: 'one', amount: '$11.00', limit: '$12.00' }
        const first = ['vendor-balance-low', facts, time.seconds()]
        expect(await runAndReadEvents()).toEqual([11, first])
        used = 1000
        time.advance(3_600_000)
        expect(await runAndReadEvents()).toEqual([10, first])
        await world.ctx.database.query
          .updateTable('options')
          .set({ value: '0' })
          .where('key', '=', 'VendorBalanceMinutes')
          .execute()
        await world.ctx.catalog.rebuild()
        time.advance(3_600_000)
        requests.length = 0
        await job.run(signal)
        expect(requests).toEqual([])
      },
    )

    once('a balance in yuan is kept and reported as such, and compared with the threshold in dollars', async () => {
      await using world = await anEmptyStage(kind)
      const purse = (currency: string, total_balance: string) => ({ currency, total_balance })
      let purses = [purse('CNY', '100.00'), purse('USD', '0.00')]
      responses['/user/balance'] = () => Response.json({ is_available: true, balance_infos: purses })
      const { id } = await world.aChannel({ base_url, type: 43, name: 'two' })
      await setOptions(world, { VendorBalanceThreshold: '12', ListPriceYuanRate: '8' })
      const readBalance = async () => {
        const { envelopeFields } = await world.ask('GET', `/api/channel/update_balance/${id}`)
        const rows = await world.ctx.database.query.selectFrom('operator_events').select('facts').execute()
        return [
          envelopeFields['balance'],
          envelopeFields['currency'],
          rows.map(({ facts }) => JSON.parse(facts) as unknown),
        ]
      }
      expect(await readBalance()).toEqual([100, 'CNY', []])
      expect(await world.one(id)).toMatchObject({ balance: 100, balance_currency: 'CNY' })
      purses = [purse('CNY', '95.00')]
      const facts = { name: 'two', amount: '¥95.00 ($11.88)', limit: '$12.00' }
      expect(await readBalance()).toEqual([95, 'CNY', [facts]])
      purses = [purse('CNY', '0.00'), purse('USD', '3.00')]
      expect(await readBalance()).toEqual([3, 'USD', [facts]])
      purses = [purse('EUR', '3.00')]
      expect(await world.codeOf('GET', `/api/channel/update_balance/${id}`)).toBe('channel.balance_failed')
    })

    test('balances of keys in several currencies add up in dollars', async () => {
      await using world = await anEmptyStage(kind)
      await setOptions(world, { ListPriceYuanRate: '8' })
      const currencies = ['CNY', 'USD']
      responses['/user/balance'] = () =>
        Response.json({ balance_infos: [{ currency: currencies.shift(), total_balance: '16' }] })
      const { id } = await world.aChannel({ base_url, type: 43, key: `a-${canary},b-${canary}` })
      const { envelopeFields } = await world.ask('GET', `/api/channel/update_balance/${id}`)
      expect([envelopeFields['balance'], envelopeFields['currency']]).toEqual([18, 'USD'])
    })

    once('a vendor failure is reported without key and address', async () => {
      await using world = await anEmptyStage(kind)
      const { id } = await world.aChannel({ base_url })
      const path = `/api/channel/update_balance/${id}`
      for (const respond of [
        () => new Response(`no ${canary}`, { status: 500 }),
        () => new Response('{'),
        () => Response.json([]),
        () => new Response('x'.repeat(1024 * 1024 + 1)),
        () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
      ]) {
        responses['/v1/dashboard/billing/subscription'] = respond
        const { code, message } = await world.ask('GET', path)
        expect(code).toBe('channel.balance_failed')
        expect(message).not.toContain('127.0.0.1')
      }
      await world.ask('PUT', '/api/channel/', { id, base_url: 'http://127.0.0.1:1' })
      const refused = await world.ask('GET', path)
      expect([refused.code, refused.message.includes('127.0.0.1')]).toEqual(['channel.balance_failed', false])
      const without = await world.aChannel({ type: 3, base_url, other: '2024-06-01' })
      expect(await world.codeOf('GET', `/api/channel/update_balance/${without.id}`)).toBe('channel.balance_none')
    })

    once('models are fetched for a saved channel and before one is saved', async () => {
      await using world = await anEmptyStage(kind)
      responses['/v1/models'] = () => Response.json({ data: [{ id: 'b' }, { id: 'a' }, { id: 'b' }] })
      const { id } = await world.aChannel({ base_url })
      expect((await world.ask('GET', `/api/channel/fetch_models/${id}`)).data).toEqual(['b', 'a'])
      const unsaved = { base_url: `${base_url}/`, type: 1, key: `first-${canary},second` }
      expect((await world.ask('POST', '/api/channel/fetch_models', unsaved)).data).toEqual(['b', 'a'])
      expect(requests.at(-1)?.key).toBe(`Bearer first-${canary}`)
      expect(await world.codeOf('POST', '/api/channel/fetch_models', { ...unsaved, key: ' ' })).toBe(
        'channel.key_needed',
      )
      responses['/v1/models'] = () => Response.json({ nothing: canary })
      expect(await world.codeOf('GET', `/api/channel/fetch_models/${id}`)).toBe('channel.fetch_failed')
    })
  })
}

describe('the destination of a check’s keys', () => {
  const checks = (id: number) =>
    [`/test/${id}`, `/fetch_models/${id}`, `/update_balance/${id}`].map((path) => `/api/channel${path}`)

  test('keys are sent only where they were entered for, whatever else the call or a refused edit names', async () => {
    await using world = await anEmptyStage('sqlite')
    const { id } = await world.aChannel({ base_url: `${base_url}/own` })
    const elsewhere = `${base_url}/elsewhere`
    const edits = [
      { base_url: elsewhere },
      { base_url: elsewhere, key: '' },
      { setting: `{"proxy":"${base_url}"}` },
      { type: 8, base_url: elsewhere },
    ]
    for (const edit of edits) {
      expect(await world.codeOf('PUT', '/api/channel/', { id, ...edit })).toBe('channel.key_again')
    }
    const query = `?base_url=${encodeURIComponent(elsewhere)}&type=8&setting=${encodeURIComponent(`{"proxy":"${base_url}"}`)}`
    for (const path of checks(id)) await world.ask('GET', path + query)
    const unsaved = { base_url: elsewhere, type: 1 }
    const fetchModels = (body: object) => world.codeOf('POST', '/api/channel/fetch_models', body)
    expect(await fetchModels({ ...unsaved, key: '' })).toBe('channel.key_needed')
    expect(await fetchModels({ ...unsaved, key: '', id })).toBe('input.invalid')
    expect(requests.length).toBeGreaterThanOrEqual(3)
    for (const { path, key } of requests)
      expect([path, key]).toEqual([expect.stringMatching(/^\/own\//), expect.anything()])
  })

  test.each([
    ['the metadata service of a cloud', 'http://169.254.169.254', ''],
    ['the same, written as a number', 'http://2852039166', ''],
    ['the same in IPv6', 'http://[::ffff:169.254.169.254]', ''],
    ['the gateway’s own port', base_url, ''],
    ['the metadata service of a cloud in place of a proxy', 'http://models.example', 'http://169.254.169.254'],
    ['the gateway’s own port in place of a proxy', 'http://models.example', base_url],
  ])('a check never calls %s', async (_what, address, proxy) => {
    await using world = await anEmptyStage('sqlite', { environment: { PORT: String(vendor.port) } })
    const { id } = await world.aChannel({ base_url: address, setting: JSON.stringify({ proxy }) })
    const outcomes = await Promise.all(checks(id).map((path) => world.ask('GET', path)))
    expect(outcomes.map(({ success, code }) => [success, code])).toEqual([
      [false, 'channel.test_failed'],
      [false, 'channel.fetch_failed'],
      [false, 'channel.balance_failed'],
    ])
    expect(outcomes[0]?.message).toContain('belongs to this machine or its cloud')
    expect(requests).toEqual([])
    const rows = await world.ctx.database.query.selectFrom('logs').select('content').execute()
    expect(JSON.stringify([rows, outcomes])).not.toContain('169.254')
  })
})
