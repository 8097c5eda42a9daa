import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { logType, parsePhrase, readLogDetails } from '@tollgate/contract'

import { eventually } from '../../../test/eventually'
import { FakeTime } from '../../../test/fake-time'
import { kinds, onceOf } from '../../../test/kinds'
import { createRelayWorld, type RelayWorld } from '../../../test/relay-world'
import { AppError } from '../../platform/app-error'
import type { LogEntry } from '../../billing/ledger/ledger'
import type { RefusedCall } from './refusal-entry'
import { Refusals } from './refusals'

describe.each(kinds)('rows of refused calls (%s)', (kind) => {
  const once = onceOf(kind)

  let world: RelayWorld

  beforeAll(async () => {
    world = await createRelayWorld({ kind })
    await world.setOptions({ LogErrorEnabled: 'true', ModelRequestRateLimitDurationMinutes: '1' })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  /** Resolves with the row that has the request id of the response. */
  async function rowOf(response: Response) {
    const id = response.headers.get('x-request-id')
    await response.text()
    const row = await eventually(async () => (await world.logs()).find((logged) => logged.request_id === id) ?? null)
    const { error_code: code, status_code: status, refused_calls: calls, endpoint } = readLogDetails(row.other)
    return { ...row, code, status, calls, endpoint }
  }

  const key = async (quota: number, values: Parameters<RelayWorld['addToken']>[1] = {}) =>
    world.addToken(await world.addUser(quota), { name: 'shop', ...values })

  once('the row of an unknown key names its address', async () => {
    const row = await rowOf(await world.chat({}, { key: 'sk-unknown' }))
    expect(row).toMatchObject({ type: logType.error, user_id: 0, client_ip: '127.0.0.1', quota: 0, channel_id: 0 })
    expect(row).toMatchObject({ code: 'key.invalid', status: 401, calls: 1, endpoint: '/v1/chat/completions' })
    expect(parsePhrase(row.content)?.code).toBe('key.invalid')
  })

  once.each([
    ['an exhausted key', { status: 4 }, 'key.exhausted', 403],
    ['a key for other addresses', { allow_ips: '10.9.8.7' }, 'caller.ip', 403],
    ['a disabled key', { status: 2 }, 'key.disabled', 401],
  ] as const)('the row of %s names caller and key', async (_, values, code, status) => {
    const row = await rowOf(await world.chat({}, { key: await key(1000, values) }))
    expect(row).toMatchObject({ code, status, token_name: 'shop', group: 'default' })
    expect(row.user_id).toBeGreaterThan(0)
    expect(row.username).toStartWith('user')
  })

  once.each([
    ['a model that the key may not use', { model_limits_enabled: 1, model_limits: 'gpt-4o-mini' }, {}, 'caller.model'],
    ['a balance that does not suffice', {}, {}, 'quota.user'],
    ['a model that no channel has', {}, { model: 'nope' }, 'model.unknown'],
  ] as const)('the row of %s names key, model and code', async (_, values, body, code) => {
    const quota = code === 'quota.user' ? 0 : 10_000_000
    const row = await rowOf(await world.chat(body, { key: await key(quota, values) }))
    expect(row).toMatchObject({ code, token_name: 'shop', model_name: 'model' in body ? body.model : 'gpt-4o' })
  })

  once.each([
    ['a cap', 'cap.prompt', { span: 'call', measure: 'prompt_tokens' }, 1],
    ['a window', 'quota.window', { span: 'day', measure: 'requests' }, 2],
  ] as const)('the row of a call that %s refused says whose limit it is', async (_, code, columns, calls) => {
    const userId = await world.addUser(10_000_000)
    await world.ctx.database.query
      .insertInto('windows')
      .values({ owner: 'user', ref: String(userId), name: 'One', limit_amount: 1, created_at: 1, ...columns })
      .execute()
    const userKey = await world.addToken(userId)
    const messages = [{ role: 'user', content: 'more than a single token' }]
    for (let call = 1; call < calls; call += 1) await (await world.chat({ messages }, { key: userKey })).text()
    const row = await rowOf(await world.chat({ messages }, { key: userKey }))
    expect(row).toMatchObject({ code, user_id: userId })
    expect(readLogDetails(row.other).limit_owner).toBe('user')
  })

  once('the row of a body that is not valid says what is wrong with it', async () => {
    const row = await rowOf(await world.chat({ messages: 'none' }))
    expect(row).toMatchObject({ code: 'request.invalid', status: 400, model_name: 'gpt-4o' })
    expect(row.content).toContain('messages')
  })

  once('the row of an unknown path names it', async () => {
    const row = await rowOf(await world.post('/v1/chat/nothing', {}))
    expect(row).toMatchObject({ code: 'endpoint.unknown', status: 404, endpoint: '/v1/chat/nothing' })
  })

  once('the row of an address outside the API is that of a client with a key; without one there is none', async () => {
    const before = (await world.logs()).length
    await (await fetch(`${world.url}/no/such/page`)).text()
    const row = await rowOf(await world.post('/no/such/call', {}))
    expect(row).toMatchObject({ code: 'endpoint.unknown', status: 404, endpoint: '/no/such/call' })
    expect((await world.logs()).length).toBe(before + 1)
  })

  once('a refused call counts in no hour, and leaves no row where the site wants no rows of errors', async () => {
    const { query } = world.ctx.database
    await world.setOptions({ LogErrorEnabled: 'false' })
    const before = (await world.logs()).length
    await (await world.chat({}, { key: 'sk-other' })).text()
    await world.setOptions({ LogErrorEnabled: 'true' })
    await rowOf(await world.chat({}, { key: await key(1000, { status: 2 }) }))
    expect((await world.logs()).length).toBe(before + 1)
    expect(await query.selectFrom('rollups').selectAll().where('errors', '>', 0).execute()).toEqual([])
  })
})

describe('many refused calls', () => {
  let time: FakeTime
  let rows: { readonly id: string; readonly entry: LogEntry }[]
  let counted: string[]
  let refusals: Refusals

  beforeEach(() => {
    time = new FakeTime()
    rows = []
    counted = []
    const ledger = { record: (id: string, entry: LogEntry) => void rows.push({ id, entry }) }
    const metrics = { countRefusal: (code: string) => void counted.push(code) }
    refusals = new Refusals({ clock: time, timers: time, ledger, metrics })
  })

  let ids = 0
  const aCall = (clientIp: string): RefusedCall => ({
    request: new Request('http://gateway/v1/chat/completions'),
    requestId: `request-${(ids += 1)}`,
    method: 'POST',
    path: '/v1/chat/completions',
    query: '',
    dialect: 'openai-chat',
    hasNumericErrorCodes: false,
    clientIp,
    language: 'en',
    catalog: { options: { LogErrorEnabled: true } },
    startedAt: time.monotonic(),
    trace: null,
    findings: { caller: null, model: '', requests: null, tokens: null },
    endpoint: null,
    pathContext: null,
  })
  const refuse = (clientIp: string, code: 'key.invalid' | 'rate.limited' = 'key.invalid') =>
    refusals.note(new AppError(code), aCall(clientIp))
  const callsOf = () => rows.map(({ entry }) => readLogDetails(entry.other).refused_calls)

  test('an address leaves ten rows a minute, and one for each code that counts the rest', () => {
    for (let call = 0; call < 1000; call += 1) refuse('192.0.2.1')
    for (let call = 0; call < 50; call += 1) refuse('192.0.2.1', 'rate.limited')
    expect(callsOf()).toEqual(Array(10).fill(1))
    time.advance(60_000)
    expect(
      callsOf()
        .slice(10)
        .sort((a, b) => a - b),
    ).toEqual([50, 990])
    expect(counted).toHaveLength(1050)
  })

  test('an address does not use up the rows of another one, and has new ones in the next minute', () => {
    for (let call = 0; call < 20; call += 1) refuse('192.0.2.1')
    refuse('192.0.2.2')
    expect(rows).toHaveLength(11)
    time.advance(60_000)
    refuse('192.0.2.1')
    expect(callsOf()).toEqual([...Array(11).fill(1), 10, 1])
  })

  test('ever new addresses leave a bounded number of rows that count every call', () => {
    for (let call = 0; call < 20_000; call += 1) refuse(`2001:db8:${(call >> 8).toString(16)}:${call & 255}::1`)
    expect(rows).toHaveLength(300)
    time.advance(60_000)
    expect(rows.length).toBeLessThanOrEqual(801)
    expect(callsOf().reduce((sum, calls) => sum + calls, 0)).toBe(20_000)
    expect(rows.at(-1)?.entry.clientIp).toBe('')
  })

  test('a row that stands for several calls is written when the worker stops', () => {
    for (let call = 0; call < 12; call += 1) refuse('192.0.2.1')
    refusals.flush()
    expect(callsOf().at(-1)).toBe(2)
    time.advance(120_000)
    expect(rows).toHaveLength(11)
  })
})
