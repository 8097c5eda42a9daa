import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { logType, readLogDetails } from '@tollgate/contract'
import { isObject } from '@tollgate/dialects'
import { faults, type FaultName } from '@tollgate/simulator'

import { eventually } from '../../../test/eventually'
import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../test/relay-world'
import { ownLogEntity } from '../../console-api/logs/log-entity'
import { FakeTime } from '../../../test/fake-time'
import { outlasting } from '../../../test/outlasting'

const time = new FakeTime()
let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld({ time })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => {
  world.simulator.reset()
  // Every test starts with closed breakers.
  world.forgetHealth()
})

async function failureOf(response: Response) {
  const body: unknown = await response.json()
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {}
  return { status: response.status, code: error['code'], type: error['type'], message: String(error['message']) }
}

/** Resolves as the call does; an upstream that says nothing more is waited for as long as is configured. */
async function outlast<Value>(call: Promise<Value>, ms = world.ctx.config.firstByteTimeoutMs): Promise<Value> {
  const [value] = await outlasting([call], { time, simulator: world.simulator, ms })
  if (value === undefined) throw new Error('The call has no outcome')
  return value
}
const outlastWhole = (call: Promise<Response>) => outlast(call, world.ctx.config.firstByteTimeoutWholeMs)

const everyCall = (fault: FaultName) => world.simulator.when(() => true, faults[fault])

describe('an upstream’s failure', () => {
  test.each([
    ['status-400', 400, 'bad_value'],
    ['status-401', 502, 'upstream.failed'],
    ['status-402', 502, 'upstream.failed'],
    ['status-403', 502, 'upstream.failed'],
    ['status-404', 404, 'model_not_found'],
    ['status-408', 504, 'upstream.timeout'],
    ['status-413', 413, 'upstream.rejected'],
    ['status-429', 429, 'upstream.busy'],
    ['status-500', 502, 'upstream.failed'],
    ['status-500-html', 502, 'upstream.failed'],
    ['status-500-empty', 502, 'upstream.failed'],
    ['status-503', 502, 'upstream.failed'],
    ['status-504', 504, 'upstream.timeout'],
    ['status-524', 504, 'upstream.timeout'],
    ['error-in-200', 502, 'upstream.failed'],
    ['code-in-200', 502, 'upstream.failed'],
    ['unsuccessful-200', 502, 'upstream.failed'],
    ['nothing-in-200', 502, 'upstream.malformed'],
    ['malformed-json', 502, 'upstream.malformed'],
    ['html-200', 502, 'upstream.malformed'],
    ['empty-200', 502, 'upstream.malformed'],
    ['null-200', 502, 'upstream.malformed'],
    ['array-200', 502, 'upstream.malformed'],
    ['truncated-json', 502, 'upstream.malformed'],
    ['reset-before-headers', 502, 'upstream.unreachable'],
    ['reset-after-headers', 502, 'upstream.unreachable'],
    ['reset-mid-body', 502, 'upstream.unreachable'],
    ['stall-before-headers', 504, 'upstream.timeout'],
    ['stall-after-headers', 504, 'upstream.timeout'],
  ] as const)('%s is answered with %i %s and costs nothing', async (fault, status, code) => {
    everyCall(fault)
    const before = (await world.logs()).length
    const response = await outlastWhole(world.chat())
    const requestId = response.headers.get('x-request-id')
    const failure = await failureOf(response)
    expect(failure).toMatchObject({ status, code })
    expect(failure.message).toEndWith(`(request id: ${requestId})`)
    expect(failure.message).not.toContain(String(world.simulator.port))
    expect((await world.logs()).length).toBe(before)
  })

  test.each([
    'status-401',
    'status-402',
    'status-403',
    'status-404',
    'status-408',
    'status-429',
    'status-500',
    'status-503',
    'status-504',
    'status-524',
    'error-in-200',
    'malformed-json',
    'html-200',
    'empty-200',
    'reset-before-headers',
    'reset-mid-body',
    'stall-before-headers',
    'stall-after-headers',
    'code-in-200',
    'unsuccessful-200',
    'base-resp-200',
    'error-code-200',
    'nothing-in-200',
  ] as const)(
    '%s is retried at another channel with the settings of a new installation, and billed once',
    async (fault) => {
      const id = await world.addChannel({ priority: 5, key_sealed: world.ctx.seal.seal('sk-failing') })
      world.simulator.when(({ apiKey }) => apiKey === 'sk-failing', faults[fault])
      const before = (await world.logs()).length
      const response = await outlastWhole(world.chat())
      await world.changeChannel(id, { status: 2 })
      expect(response.status).toBe(200)
      await response.json()
      const rows = (await world.logs()).slice(before)
      expect(rows).toHaveLength(1)
      const other: unknown = JSON.parse(rows[0]?.other ?? '{}')
      expect(other).toMatchObject({ admin_info: { use_channel: [String(id), '1'] } })
    },
  )

  test('an invalid request is not retried', async () => {
    const id = await world.addChannel({ priority: 5 })
    world.simulator.next(faults['status-400'])
    expect((await world.chat()).status).toBe(400)
    await world.changeChannel(id, { status: 2 })
    expect(world.simulator.requests).toHaveLength(1)
  })

  test.each([
    ['The model `m` does not exist', null],
    ['No such thing', 'model_not_found'],
    ["'tools' is not supported by this model", null],
    ['Your credit balance is too low to access the API', null],
    ['用户余额不足', 'Arrearage'],
  ])('a 400 %j (%p) is retried at another channel', async (message, code) => {
    const id = await world.addChannel({ priority: 5 })
    const error = { message, type: 'invalid_request_error', code }
    world.simulator.next({ fault: { kind: 'status', status: 400, error } })
    expect((await world.chat()).status).toBe(200)
    await world.changeChannel(id, { status: 2 })
    expect(world.simulator.requests).toHaveLength(2)
  })

  test('a status is mapped before the decision to retry', async () => {
    const id = await world.addChannel({ priority: 5, status_code_mapping: '{"400":"500"}' })
    world.simulator.next(faults['status-400'])
    expect((await world.chat()).status).toBe(200)
    await world.changeChannel(id, { status: 2 })
    expect(world.simulator.requests).toHaveLength(2)
  })

  test('Retry-After is passed on within reasonable bounds', async () => {
    everyCall('status-429-absurd')
    expect((await world.chat()).headers.get('retry-after')).toBe('3600')
  })

  test('a refused key is followed by the next key of the same channel', async () => {
    const keys = ['sk-first-000000', 'sk-second-00000'].join(',')
    const id = await world.addChannel({ priority: 5, key_sealed: world.ctx.seal.seal(keys), models: 'gpt-4o' })
    world.simulator.when(({ apiKey }) => apiKey === 'sk-first-000000', faults['status-401'])
    for (let call = 0; call < 3; call += 1) expect((await world.chat()).status).toBe(200)
    await world.changeChannel(id, { status: 2 })
    expect(world.simulator.requests.map(({ apiKey }) => apiKey)).not.toContain(upstreamKey)
  })

  test('a refused key is disabled with its reason where that is configured', async () => {
    await world.setOptions({ AutomaticDisableChannelEnabled: 'true' })
    const id = await world.addChannel({ priority: 5 })
    world.simulator.next(faults['status-401'])
    await world.chat()
    const disabled = await eventually(async () => {
      const { query } = world.ctx.database
      const row = await query.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      return row.status === 3 ? row : null
    })
    await world.setOptions({ AutomaticDisableChannelEnabled: 'false' })
    expect(disabled.other_info).toContain('Simulated upstream error 401')
  })

  test('failed attempts are counted by the hour, and logged where that is configured', async () => {
    const countedErrors = async () => {
      const rows = await world.ctx.database.query.selectFrom('rollups').select('errors').execute()
      return rows.reduce((sum, { errors }) => sum + errors, 0)
    }
    const errorRows = async () => (await world.logs()).filter(({ type }) => type === logType.error)
    const before = await countedErrors()
    world.simulator.next(faults['status-500'])
    await world.chat()
    await eventually(async () => ((await countedErrors()) > before ? true : null))
    expect(await errorRows()).toEqual([])

    await world.setOptions({ LogErrorEnabled: 'true' })
    world.simulator.next(faults['status-500'])
    await world.chat()
    await world.setOptions({ LogErrorEnabled: 'false' })
    const row = await eventually(async () => (await errorRows())[0] ?? null)
    expect(JSON.parse(row.other)).toMatchObject({
      status_code: 500,
      channel_id: 1,
      error_type: 'upstream.refused',
      error_code: 'upstream.failed',
      use_time_ms: expect.any(Number),
      dialect: 'openai-chat',
      endpoint: '/v1/chat/completions',
    })
    expect(row.quota).toBe(0)
  })
})

test.each([
  ['status-401', 'Trying again does not help: tell the administrator of this site.'],
  ['status-503', 'Try again shortly.'],
] as const)('a caller reads whether trying again helps after %s', async (fault, advice) => {
  everyCall(fault)
  expect((await failureOf(await outlastWhole(world.chat()))).message).toContain(`. ${advice} (request id:`)
})

test('the row of a failed attempt shows its user our code, and administrators the upstream’s message', async () => {
  await world.setOptions({ LogErrorEnabled: 'true' })
  const upstreamMessage = 'Account acme-prod 4711 on llm-7.corp.internal is suspended'
  const body = { error: { message: upstreamMessage, type: 'acme_type', code: 'acme_code' } }
  world.simulator.next({ fault: { kind: 'status', status: 401, body } })
  const id = (await world.chat()).headers.get('x-request-id')
  await world.setOptions({ LogErrorEnabled: 'false' })
  const row = await eventually(async () => (await world.logs()).find((row) => row.request_id === id) ?? null)
  const own = JSON.stringify(ownLogEntity(row, 'en'))
  for (const word of ['acme', '4711', 'corp']) expect(own).not.toContain(word)
  expect(own).toContain('Trying again does not help')
  expect(JSON.parse(ownLogEntity(row, 'en').other)).toMatchObject({ error_code: 'upstream.failed', status_code: 401 })
  expect<object>(readLogDetails(row.other)).toMatchObject(JSON.parse(row.other))
  expect(readLogDetails(row.other).admin_info?.upstream_error).toEqual({
    message: 'Account [account] 4711 on [address] is suspended',
    type: 'acme_type',
    code: 'acme_code',
  })
})

describe('a stream', () => {
  const text = async (fault: FaultName) => {
    // Its client has the first frames before the last ones are sent.
    const started = Promise.withResolvers<void>()
    const gate = (frame: number) => (frame === 2 ? started.promise : undefined)
    world.simulator.when(() => true, { ...faults[fault], gate })
    const response = await world.chat({ stream: true })
    started.resolve()
    return { status: response.status, text: await outlast(response.text(), world.ctx.config.streamIdleTimeoutMs) }
  }

  test.each(['reset-mid-stream', 'cut-mid-stream', 'stall-mid-stream', 'truncated-json'] as const)(
    'a stream that breaks off (%s) ends with an error and no end mark, and is billed for what arrived',
    async (fault) => {
      const before = (await world.logs()).length
      const { status, text: streamText } = await text(fault)
      expect(status).toBe(200)
      const events = streamText.trim().split('\n\n')
      expect(events.at(-1)).toContain('"code":"upstream.broken"')
      expect(streamText).not.toContain('[DONE]')
      const rows = (await world.logs()).slice(before)
      expect(rows).toHaveLength(1)
      expect(JSON.parse(rows[0]?.other ?? '{}')).toMatchObject({ estimated: true, ending: 'broken' })
    },
  )

  test('a stream that begins with an error is an ordinary failure', async () => {
    everyCall('error-in-200')
    expect((await failureOf(await world.chat({ stream: true }))).status).toBe(502)
  })

  test('a stream whose upstream fails midway reports it', async () => {
    const { text: streamText } = await text('error-after-frames')
    expect(streamText).toContain('"error"')
  })

  test('a stream that never begins is retried at another channel', async () => {
    const id = await world.addChannel({ priority: 5 })
    world.simulator.next(faults['stall-before-headers'])
    const response = await outlast(world.chat({ stream: true }))
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('[DONE]')
    await world.changeChannel(id, { status: 2 })
  })
})
