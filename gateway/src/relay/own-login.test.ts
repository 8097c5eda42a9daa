import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { logType, readLogDetails } from '@tollgate/contract'
import { isObject, type JsonObject } from '@tollgate/dialects'

import { eachDatabase } from '../../test/databases'
import { sha256 } from '../platform/store/seal'
import { createRelayWorld, type RelayWorld } from '../../test/relay-world'

const oauthToken = 'sk-ant-oat01-Zm9yLW9uZS1jbGllbnQtb25seQ'
const usage = { input_tokens: 1000, output_tokens: 500 }
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Hello.' }],
  stop_reason: 'end_turn',
  usage,
}
const events = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
  { type: 'message_stop' },
]
const stream = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const reply = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello.' }],
    },
  ],
  usage,
}
/** 3 and 15 dollars a million tokens, half a million quota a dollar. */
const fullPrice = (1000 * 3 + 500 * 15) / 2

const claudeCode = {
  'anthropic-beta': 'oauth-2025-04-20,claude-code-20250219',
  'anthropic-version': '2023-06-01',
  'user-agent': 'claude-cli/2.1.0 (external, cli)',
  'x-app': 'cli',
  'x-stainless-lang': 'js',
}

for (const kind of eachDatabase) {
  describe(`clients with their own login (${kind})`, () => {
    let world: RelayWorld
    let received: { path: string; headers: Headers; text: string }[]
    let refusal: Response | null
    let channelId: number
    const vendor = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      async fetch(request) {
        const text = await request.text()
        const path = new URL(request.url).pathname
        received.push({ path, headers: request.headers, text })
        if (refusal) return refusal.clone()
        const headers = { 'anthropic-ratelimit-unified-5h-utilization': '0.4', 'x-vendor-secret': 'no' }
        if (text.includes('"stream":true'))
          return new Response(stream, { headers: { ...headers, 'content-type': 'text/event-stream' } })
        return Response.json(path.endsWith('/responses') ? reply : message, { headers })
      },
    })
    const base = String(vendor.url).replace(/\/$/, '')
    const ownLogin = (factor?: number) =>
      JSON.stringify({ own_login: true, ...(factor !== undefined && { own_login_factor: factor }) })

    beforeAll(async () => {
      world = await createRelayWorld({ kind })
      channelId = await world.addChannel({
        type: 14,
        base_url: base,
        models: 'claude-sonnet-4-5',
        key_sealed: world.ctx.seal.seal(''),
        setting: ownLogin(),
      })
    })
    afterAll(async () => {
      await world[Symbol.asyncDispose]()
      await vendor.stop(true)
    })
    beforeEach(() => {
      received = []
      refusal = null
    })
    afterEach(() => world.changeChannel(channelId, { setting: ownLogin() }))

    const body = { model: 'claude-sonnet-4-5', max_tokens: 64, messages: [{ role: 'user', content: 'hello' }] }
    const send = (
      over: object = {},
      { key = world.key, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
    ) =>
      world.post(
        '/v1/messages',
        { ...body, ...over },
        { headers: { 'tollgate-key': key, authorization: `Bearer ${oauthToken}`, ...claudeCode, ...headers } },
      )
    const lastRow = async () => (await world.logs()).filter(({ type }) => type === logType.consumption).at(-1)
    const codeOf = async (response: Response) => {
      const json: unknown = await response.json()
      return isObject(json) && isObject(json['error']) ? json['error']['message'] : json
    }

    test.each([false, true])(
      'a call is made with the login of its client and costs nothing (streamed: %j)',
      async (stream) => {
        const { userId, key } = await world.addPayer(0)
        const response = await send({ stream }, { key })
        expect(response.status).toBe(200)
        expect(response.headers.get('anthropic-ratelimit-unified-5h-utilization')).toBe('0.4')
        expect(response.headers.has('x-vendor-secret')).toBe(false)
        expect(await response.text()).toContain('Hello.')
        const [request] = received
        expect(request?.text).toBe(JSON.stringify({ ...body, stream }))
        expect(request?.headers.get('authorization')).toBe(`Bearer ${oauthToken}`)
        for (const [name, value] of Object.entries(claudeCode)) expect(request?.headers.get(name)).toBe(value)
        for (const name of ['x-api-key', 'tollgate-key']) expect(request?.headers.has(name)).toBe(false)
        expect(JSON.stringify([...(request?.headers ?? [])])).not.toContain(key)
        const [row] = await world.chargesOf(userId, 1)
        const details = readLogDetails(row?.other ?? '')
        expect(row).toMatchObject({ quota: 0, prompt_tokens: 1000, completion_tokens: 500, channel_id: channelId })
        expect(details).toMatchObject({
          own_login_factor: 0,
          admin_info: { cost: 0, attempts: [{ key: 'own-login' }] },
        })
        expect(await world.balanceOf(userId)).toBe(0)
      },
    )

    test('an API key of the client goes on as one', async () => {
      await send({}, { headers: { authorization: '', 'x-api-key': 'sk-ant-api03-of-the-client' } })
      expect(received[0]?.headers.get('x-api-key')).toBe('sk-ant-api03-of-the-client')
      expect(received[0]?.headers.has('authorization')).toBe(false)
    })

    test('the factor of the channel decides about hold and charge', async () => {
      await world.changeChannel(channelId, { setting: ownLogin(0.5) })
      const { userId, key } = await world.addPayer(fullPrice)
      expect((await send({}, { key })).status).toBe(200)
      const [row] = await world.chargesOf(userId, 1)
      expect(row?.quota).toBe(fullPrice / 2)
      expect(readLogDetails(row?.other ?? '').own_login_factor).toBe(0.5)
      expect(await world.balanceOf(userId)).toBe(fullPrice / 2)
      const poor = await world.addPayer(1)
      expect((await send({ max_tokens: 4096 }, { key: poor.key })).status).toBe(403)
    })

    test('a call without a login never goes to a channel without a key, nor one with a login to a channel that takes none', async () => {
      const bare = await world.post('/v1/messages', body)
      expect([bare.status, await codeOf(bare)]).toEqual([400, expect.stringContaining('Tollgate-Key')])
      expect(received).toEqual([])
      const other = await world.addChannel({ type: 14, base_url: `${base}/paid`, models: 'claude-sonnet-4-5' })
      for (let times = 0; times < 10; times += 1) await (await world.post('/v1/messages', body)).text()
      expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/paid/v1/messages']))
      expect(received.some(({ headers }) => headers.has('authorization'))).toBe(false)
      received = []
      for (let times = 0; times < 10; times += 1) await (await send()).text()
      expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/v1/messages']))
      await world.changeChannel(channelId, { setting: '' })
      const refused = await send()
      expect([refused.status, await codeOf(refused)]).toEqual([400, expect.stringContaining('without Tollgate-Key')])
      // A login that no channel takes pays for nothing: the body of one without balance is not read.
      const { key } = await world.addPayer(0)
      expect((await send({ system: 'x'.repeat(2_000_000) }, { key })).status).toBe(403)
      await world.ctx.database.query.deleteFrom('channels').where('id', '=', other).execute()
      await world.ctx.catalog.rebuild()
    })

    test('a login goes to no vendor whose dialect its client does not speak', async () => {
      const response = await world.chat(
        { model: 'claude-sonnet-4-5' },
        { headers: { 'tollgate-key': world.key, authorization: `Bearer ${oauthToken}` } },
      )
      expect([response.status, received.length]).toEqual([400, 0])
    })

    test('a key of this site is shown to no vendor, wherever it stands', async () => {
      const second = await world.addToken(await world.addUser(1000))
      // As other gateways made them: with dashes, and known by the hash of the whole text.
      await world.addToken(await world.addUser(1000), { key_hash: sha256('team-blue-1') })
      await world.addToken(await world.addUser(1000), { key_hash: sha256('sk-Ab_c-123') })
      for (const key of [second, world.key, 'sk-team-blue-1', 'sk-Ab_c-123'])
        expect((await send({}, { headers: { authorization: `Bearer ${key}` } })).status).toBe(400)
      expect(received).toEqual([])
      expect((await send({}, { key: 'sk-wrong' })).status).toBe(401)
    })

    test.each([
      ['two tokens in one header', `Bearer ${oauthToken}, Bearer KEY`],
      ['the key of the site before the token', `Bearer KEY, Bearer ${oauthToken}`],
      ['another scheme', `Basic ${btoa('user:KEY')} KEY`],
    ])('what is not one token of a vendor is refused: %s', async (_, authorization) => {
      const response = await send({}, { headers: { authorization: authorization.replaceAll('KEY', world.key) } })
      expect([response.status, await codeOf(response)]).toEqual([400, expect.stringContaining('not one token')])
      expect(received).toEqual([])
    })

    test('a login that one host has seen goes to no other, be it by a retry or by the next model of a chain', async () => {
      const elsewhere = Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch() {
          received.push({ path: 'elsewhere', headers: new Headers(), text: '' })
          return Response.json(message)
        },
      })
      const address = { type: 14, key_sealed: world.ctx.seal.seal(''), setting: ownLogin() }
      const others = [
        { models: 'claude-sonnet-4-5', base_url: String(elsewhere.url), priority: -1 },
        { models: 'claude-haiku-4-5', base_url: String(elsewhere.url) },
        { models: 'claude-sonnet-4-5', base_url: `${base}/second`, priority: -2 },
      ]
      const ids = await Promise.all(others.map((other) => world.addChannel({ ...address, ...other })))
      await world.setOptions({
        RetryTimes: '3',
        ModelChains: '{"claude-sonnet-4-5":{"models":["claude-haiku-4-5"],"on":["failure"]}}',
      })
      refusal = Response.json({ type: 'error', error: { type: 'api_error', message: 'down' } }, { status: 500 })
      expect((await send()).status).toBe(502)
      expect(received.map(({ path }) => path)).toEqual(['/v1/messages', '/second/v1/messages'])
      expect((await send({ model: 'claude-haiku-4-5' })).status).toBe(200)
      await world.setOptions({ RetryTimes: '0', ModelChains: '{}' })
      await world.ctx.database.query.deleteFrom('channels').where('id', 'in', ids).execute()
      await world.ctx.catalog.rebuild()
      world.forgetHealth()
      await elsewhere.stop(true)
    })

    test('no search is run here for a login, for which it would cost nothing', async () => {
      await world.addChannel({ base_url: base, models: 'gpt-4o', setting: ownLogin(), priority: 9 })
      await world.setOptions({ WebSearchService: 'tavily' })
      const response = await world.chat(
        { web_search_options: {} },
        { headers: { 'tollgate-key': world.key, authorization: 'Bearer sk-proj-of-the-client' } },
      )
      await response.text()
      expect(received.map(({ text }) => text.includes('"web_search"'))).toEqual([false])
      await world.setOptions({ WebSearchService: 'off' })
    })

    test('a batch takes no login: its calls run with keys of channels, and nothing would be held for them', async () => {
      const { key } = await world.addPayer(0)
      const params = { ...body, messages: body.messages }
      const response = await world.post(
        '/v1/messages/batches',
        { requests: [{ custom_id: '1', params }] },
        { headers: { 'tollgate-key': key, authorization: `Bearer ${oauthToken}`, ...claudeCode } },
      )
      expect([response.status, await codeOf(response)]).toEqual([400, expect.stringContaining('keys of the site')])
      expect(await world.ctx.database.query.selectFrom('tasks').selectAll().execute()).toEqual([])
    })

    test('a refused login is reported as its vendor words it and blames neither channel nor key', async () => {
      await world.setOptions({ LogErrorEnabled: 'true', AutomaticDisableChannelEnabled: 'true', RetryTimes: '3' })
      await world.changeChannel(channelId, { auto_ban: 1 })
      const error = { type: 'authentication_error', message: `OAuth token ${oauthToken} has expired` }
      refusal = Response.json({ type: 'error', error }, { status: 401 })
      for (let times = 0; times < 12; times += 1) {
        const response = await send()
        expect(response.status).toBe(401)
        const text = await response.text()
        expect(text).toContain('has expired')
        expect(text).not.toContain(oauthToken)
      }
      expect(received).toHaveLength(12)
      refusal = Response.json(
        { type: 'error', error: { type: 'rate_limit_error', message: 'Your limit is used up' } },
        { status: 429, headers: { 'retry-after': '90' } },
      )
      const limited = await send()
      expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '90'])
      refusal = null
      expect((await send()).status).toBe(200)
      const [row] = await world.ctx.database.query
        .selectFrom('channels')
        .selectAll()
        .where('id', '=', channelId)
        .execute()
      expect(row?.status).toBe(1)
      expect(world.ctx.health.read([channelId])).toMatchObject({ breakers: [], cooldowns: [], failures: [] })
      await world.setOptions({ LogErrorEnabled: 'false', AutomaticDisableChannelEnabled: 'false', RetryTimes: '0' })
    })

    test('a failure of the vendor itself counts against the channel as any other', async () => {
      refusal = Response.json({ type: 'error', error: { type: 'api_error', message: 'down' } }, { status: 500 })
      expect((await send()).status).toBe(502)
    })

    test('no table holds the login after all of these calls, and no response is stored for another', async () => {
      await world.setOptions({ ResponseCacheEnabled: 'true', ResponseCacheGroups: '{"default":60}' })
      for (let times = 0; times < 2; times += 1) expect((await send()).headers.has('x-cache')).toBe(false)
      expect(received).toHaveLength(2)
      await world.setOptions({ ResponseCacheEnabled: 'false' })
      await world.ctx.ledger.waitUntilApplied()
      const { query } = world.ctx.database
      for (const { name } of await query.introspection.getTables())
        expect(
          JSON.stringify(
            await query
              .selectFrom(name as 'logs')
              .selectAll()
              .execute(),
          ),
        ).not.toContain(oauthToken)
    })

    test('Codex reaches its own address with the headers of its login', async () => {
      await world.addChannel({
        base_url: `${base}/backend-api/codex`,
        models: 'gpt-5-codex',
        key_sealed: world.ctx.seal.seal(''),
        setting: ownLogin(),
      })
      const headers = {
        'tollgate-key': world.key,
        authorization: 'Bearer eyJhbGciOi.of.chatgpt',
        'chatgpt-account-id': 'acc-1',
        originator: 'codex_cli_rs',
        'x-codex-turn-state': 'blue',
      }
      const request = { model: 'gpt-5-codex', input: 'hi', store: false, instructions: 'You are Codex.' }
      const response = await world.post('/v1/responses', request, { headers })
      expect(response.status).toBe(200)
      const [sent] = received
      expect([sent?.path, JSON.parse(sent?.text ?? '') as JsonObject]).toEqual([
        '/backend-api/codex/responses',
        request,
      ])
      const { 'tollgate-key': _, ...forwarded } = headers
      for (const [name, value] of Object.entries(forwarded)) expect(sent?.headers.get(name)).toBe(value)
      expect(await lastRow()).toMatchObject({ model_name: 'gpt-5-codex', quota: 0 })
    })
  })
}
