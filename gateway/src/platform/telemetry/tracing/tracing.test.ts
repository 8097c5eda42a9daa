import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { attributesOf, startCollector } from '../../../../test/collector'
import { createRelayWorld, upstreamKey, type RelayWorld } from '../../../../test/relay-world'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const requestIdOf = (response: Response) => response.headers.get('x-request-id') ?? ''

describe('traces', () => {
  const collector = startCollector()
  let world: RelayWorld
  beforeAll(async () => {
    world = await createRelayWorld({
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
        OTEL_SERVICE_NAME: 'gate',
        OTEL_BSP_SCHEDULE_DELAY: '5',
        TRACE_UPSTREAM: 'true',
      },
    })
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await collector.stop()
  })
  beforeEach(() => world.simulator.reset())

  const spansOf = async (response: Response) => {
    await response.text()
    return collector.spansOf(requestIdOf(response))
  }

  test('a call has a span, and one for its attempt', async () => {
    world.simulator.next({ promptTokens: 1000, cachedTokens: 400, tokens: 10 })
    const [server, client, ...more] = await spansOf(await world.chat())
    expect(more).toEqual([])
    expect(server).toMatchObject({ name: 'chat gpt-4o', kind: 2, status: {} })
    expect(server?.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(server?.spanId).toMatch(/^[0-9a-f]{16}$/)
    expect(server).not.toHaveProperty('parentSpanId')
    const attributes = attributesOf(server ?? { attributes: [] })
    expect(attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.request.stream': false,
      'gen_ai.response.model': 'gpt-4o',
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
      'gen_ai.usage.input_tokens': '1000',
      'gen_ai.usage.output_tokens': '10',
      'gen_ai.usage.cache_read.input_tokens': '400',
      'http.request.method': 'POST',
      'http.response.status_code': '200',
      'tollgate.attempts': '1',
    })
    for (const stage of ['admit', 'prepare', 'settle'])
      expect(Number(attributes[`tollgate.overhead.${stage}_ms`])).toBeGreaterThan(0)
    expect(attributes).not.toHaveProperty('error.type')
    expect(client).toMatchObject({ name: 'chat gpt-4o', kind: 3, traceId: server?.traceId, status: {} })
    expect(attributesOf(client ?? { attributes: [] })).toMatchObject({
      'gen_ai.provider.name': 'openai',
      'server.address': '127.0.0.1',
      'server.port': new URL(world.simulator.url).port,
      'http.response.status_code': '200',
      'tollgate.channel.id': '1',
    })
    const times = [
      server?.startTimeUnixNano,
      client?.startTimeUnixNano,
      client?.endTimeUnixNano,
      server?.endTimeUnixNano,
    ]
    expect(times.map((time) => BigInt(time ?? 0))).toEqual(
      times.map((time) => BigInt(time ?? 0)).toSorted((a, b) => (a < b ? -1 : 1)),
    )
    expect(Math.abs(Number(server?.endTimeUnixNano) / 1e6 - Date.now())).toBeLessThan(60_000)
  })

  test('a stream ends with its last byte, and records when it began', async () => {
    world.simulator.next({ promptTokens: 100, tokens: 10 })
    const [server, client] = await spansOf(await world.chat({ stream: true }))
    const attributes = attributesOf(server ?? { attributes: [] })
    expect(attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.usage.input_tokens': '100',
      'gen_ai.usage.output_tokens': '10',
      'http.response.status_code': '200',
    })
    expect(Number(attributes['gen_ai.response.time_to_first_chunk'])).toBeGreaterThan(0)
    expect(client?.endTimeUnixNano).toBe(server?.endTimeUnixNano ?? '')
  })

  test('a failed attempt is recorded with the reason', async () => {
    const second = await world.addChannel({ priority: -1 })
    await world.setOptions({ RetryTimes: '1' })
    world.simulator.next({ fault: { kind: 'status', status: 500 } })
    const [server, failed, served] = await spansOf(await world.chat())
    expect(attributesOf(server ?? { attributes: [] })).toMatchObject({
      'http.response.status_code': '200',
      'tollgate.attempts': '2',
    })
    expect(failed).toMatchObject({ kind: 3, status: { code: 2 } })
    expect(attributesOf(failed ?? { attributes: [] })).toMatchObject({
      'error.type': 'refused',
      'http.response.status_code': '500',
      'tollgate.attempt': '1',
    })
    expect(served?.status).toEqual({})
    expect(attributesOf(served ?? { attributes: [] })).toMatchObject({ 'tollgate.channel.id': String(second) })
    await world.setOptions({ RetryTimes: '0' })
    await world.changeChannel(second, { status: 2 })
  })

  test('a refused call has a span of its own', async () => {
    const [server, ...attempts] = await spansOf(await world.chat({}, { key: 'sk-wrong' }))
    expect(attempts).toEqual([])
    expect(server).toMatchObject({ name: 'chat', status: {} })
    expect(attributesOf(server ?? { attributes: [] })).toMatchObject({
      'http.response.status_code': '401',
      'error.type': 'key.invalid',
    })
  })

  test('a call that no channel could serve is an error', async () => {
    world.simulator.next({ fault: { kind: 'status', status: 500 } })
    const [server] = await spansOf(await world.chat())
    expect(server?.status).toEqual({ code: 2 })
    expect(attributesOf(server ?? { attributes: [] })).toMatchObject({ 'error.type': 'upstream.refused' })
  })

  test('the caller’s trace is continued, and propagated to the upstream', async () => {
    const headers = { traceparent: `00-${traceId}-${spanId}-01` }
    const [server, client] = await spansOf(await world.chat({}, { headers }))
    expect(server).toMatchObject({ traceId, parentSpanId: spanId })
    expect(world.simulator.requests[0]?.headers['traceparent']).toBe(`00-${traceId}-${client?.spanId}-01`)
  })

  test('a call that its caller does not record is not recorded', async () => {
    const headers = { traceparent: `00-${traceId}-${spanId}-00` }
    const unrecorded = await world.chat({}, { headers })
    await unrecorded.text()
    await spansOf(await world.chat())
    const ids = collector.spans().map((span) => attributesOf(span)['tollgate.request_id'])
    expect(ids).not.toContain(requestIdOf(unrecorded))
  })

  test('traces contain neither callers nor conversations', async () => {
    world.simulator.next({ text: 'the-answer-42', fault: undefined })
    const messages = [{ role: 'user', content: 'the-question-41' }]
    await spansOf(await world.chat({ messages, user: 'somebody-40' }))
    world.simulator.next({ fault: { kind: 'status', status: 400 } })
    await spansOf(await world.chat({ messages }))
    const all = collector.received.map(({ text }) => text).join('\n')
    for (const secret of ['the-answer-42', 'the-question-41', 'somebody-40', world.key, upstreamKey, 'user1'])
      expect(all).not.toContain(secret)
    expect(collector.received[0]?.headers.get('authorization')).toBe('Bearer secret')
    expect(all).toContain('"service.name","value":{"stringValue":"gate"}')
  })
})

test('queued spans are sent when the gateway ends', async () => {
  const collector = startCollector()
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '600000' }
  const world = await createRelayWorld({ environment })
  await (await world.chat()).text()
  expect(collector.spans()).toHaveLength(0)
  await world[Symbol.asyncDispose]()
  expect(collector.spans()).toHaveLength(2)
  await collector.stop()
})

test('an unavailable collector costs no call', async () => {
  const collector = startCollector()
  collector.answerWith(503)
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '1' }
  await using world = await createRelayWorld({ environment })
  for (let index = 0; index < 10; index += 1) expect((await world.chat()).status).toBe(200)
  await collector.stop()
})

test('no code of tracing is loaded without a collector', async () => {
  const folder = `${import.meta.dir}/../../../..`
  const program = `
    const { createWorld } = await import('${folder}/test/world')
    const loaded = () => Object.keys(require.cache).filter((path) => path.includes('/tracing/create-tracing'))
    const off = await createWorld()
    console.log(off.ctx.tracing, loaded().length)
    const on = await createWorld({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' } })
    console.log(typeof on.ctx.tracing, loaded().length)
    process.exit()`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' })
  expect(await new Response(child.stdout).text()).toBe('null 0\nobject 1\n')
})
