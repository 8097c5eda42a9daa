import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { pageOf } from '@tollgate/contract'
import type { Behaviour } from '@tollgate/simulator'

import { systemClock } from '../platform/time/clock'
import { createRelayWorld, upstreamKey, type RelayWorld } from '../../test/relay-world'
import { listLogs } from '../billing/usage-log/list-logs'
import { logFilter } from '../console-api/logs/log-filter'
import { logStat } from '../billing/usage-log/log-stat'

let world: RelayWorld
beforeAll(async () => {
  world = await createRelayWorld()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.simulator.reset())

const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] }
const streamed = { stream: true, stream_options: { include_usage: true } }

async function both(path: string, body: object, behaviour: Behaviour): Promise<[string, string]> {
  const texts: string[] = []
  for (const url of [world.simulator.url, world.url]) {
    world.simulator.reset()
    world.simulator.next(behaviour)
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}` },
      body: JSON.stringify(body),
    })
    texts.push(Buffer.from(await response.arrayBuffer()).toString('latin1'))
  }
  return [texts[0] ?? '', texts[1] ?? '']
}

describe('a call with the same dialect on both sides', () => {
  const behaviours: Record<string, Behaviour> = {
    plain: {},
    'unknown fields': { unknownFields: true },
    comments: { comments: true },
    'CR LF': { crlf: true },
    'a byte a write': { splitAt: 1 },
    'one write': { joinFrames: 1000 },
    'no end mark': { done: false },
    'usage in each chunk': { usage: 'every-chunk' },
    'usage twice': { usage: 'duplicate' },
    gzip: { gzip: true },
  }
  for (const [name, behaviour] of Object.entries(behaviours)) {
    test(`a whole response passes byte for byte: ${name}`, async () => {
      const [direct, relayed] = await both('/v1/chat/completions', chat, behaviour)
      expect(relayed).toBe(direct)
    })
    test(`a stream passes byte for byte: ${name}`, async () => {
      const [direct, relayed] = await both('/v1/chat/completions', { ...chat, ...streamed }, behaviour)
      expect(relayed).toBe(direct)
    })
  }

  test.each([
    ['/v1/completions', { model: 'gpt-3.5-turbo-instruct', prompt: 'hello' }],
    ['/v1/embeddings', { model: 'text-embedding-3-small', input: ['a', 'b'] }],
    ['/v1/moderations', { model: 'omni-moderation-latest', input: 'hello' }],
  ])('%s passes byte for byte', async (path, body) => {
    const [direct, relayed] = await both(path, body, {})
    expect(relayed).toBe(direct)
  })

  test('the upstream receives the request as the client wrote it', async () => {
    const text =
      '{ "temperature":0,\n"vendor":{"z":1e400,"a":[]},"model" : "gpt-4o", "seed":12345678901234567890,"messages":[{"role":"user","content":"h\\u00e9"}]}'
    expect((await world.post('/v1/chat/completions', text)).status).toBe(200)
    expect(world.simulator.requests[0]?.body).toBe(text)
  })

  test('the upstream receives its own key and none of the client’s headers', async () => {
    await world.chat({}, { headers: { cookie: 'session=1', 'x-forwarded-for': '1.2.3.4', 'x-custom': 'y' } })
    const headers = world.simulator.requests[0]?.headers ?? {}
    expect(headers['authorization']).toBe(`Bearer ${upstreamKey}`)
    expect(JSON.stringify(headers)).not.toMatch(/cookie|forwarded|custom|kkkk/)
  })

  test('an engine’s path names the model', async () => {
    const response = await world.post('/v1/engines/text-embedding-3-small/embeddings', { input: 'a' })
    expect(response.status).toBe(200)
    expect(world.simulator.requests[0]).toMatchObject({ path: '/v1/embeddings', model: 'text-embedding-3-small' })
  })
})

describe('usage in a stream', () => {
  test('usage is requested from the upstream and withheld from a client that did not request it', async () => {
    const text = await (await world.chat({ stream: true })).text()
    expect(world.simulator.requests[0]?.json).toMatchObject({ stream_options: { include_usage: true } })
    expect(text).not.toContain('prompt_tokens')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('usage is added when the client requested it and the upstream reports none', async () => {
    world.simulator.next({ usage: 'none' })
    const events = (await (await world.chat(streamed)).text()).trim().split('\n\n')
    expect(events.at(-1)).toBe('data: [DONE]')
    expect(events.at(-2)).toContain('"usage":{"prompt_tokens":')
  })

  test('usage may be omitted by a vendor that does not know the option', async () => {
    const id = await world.addChannel({ type: 44, models: 'other-wire', priority: 1 })
    world.simulator.next({})
    await world.chat({ model: 'other-wire', ...streamed }).then((response) => response.text())
    await world.changeChannel(id, { status: 2 })
    expect(world.simulator.requests.every(({ body }) => !body.includes('stream_options'))).toBe(true)
  })
})

describe('headers of a response', () => {
  test('headers of a stream keep proxies from buffering it', async () => {
    const { headers } = await world.chat({ stream: true })
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('cache-control')).toContain('no-cache')
    expect(headers.get('x-request-id')).toMatch(/^[0-9A-Z]{26}$/)
  })

  test('headers of the upstream pass only where they describe the response', async () => {
    world.simulator.next({ headers: { 'Set-Cookie': 'a=b', Server: 'vendor', 'openai-processing-ms': '7' } })
    const { headers } = await world.chat()
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('server')).toBeNull()
    expect(headers.get('openai-processing-ms')).toBe('7')
  })

  test('headers let pages of any origin call', async () => {
    const preflight = await fetch(`${world.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-headers': 'authorization' },
    })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect((await world.chat()).headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('channel settings', () => {
  const firstRequest = () => world.simulator.requests[0]
  async function withChannel(values: Parameters<RelayWorld['addChannel']>[0], body: object = {}) {
    const id = await world.addChannel({ priority: 10, models: 'gpt-4o', ...values })
    const response = await world.chat(body)
    const text = await response.text()
    await world.changeChannel(id, { status: 2 })
    return { status: response.status, text }
  }

  test('a channel maps the model and changes nothing else of the text', async () => {
    const { status } = await withChannel({ model_mapping: '{"gpt-4o":"up-4o"}' }, { seed: 7, x: { y: [1.0] } })
    expect(status).toBe(200)
    expect(firstRequest()?.body).toBe(
      '{"model":"up-4o","messages":[{"role":"user","content":"hello"}],"seed":7,"x":{"y":[1]}}',
    )
    const row = (await world.logs()).at(-1)
    expect(row?.model_name).toBe('gpt-4o')
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ is_model_mapped: true, upstream_model_name: 'up-4o' })
  })

  test('a channel’s prefix selects it and is not sent', async () => {
    await withChannel({ model_prefix: 'eu-' }, { model: 'eu-gpt-4o' })
    expect(firstRequest()?.model).toBe('gpt-4o')
  })

  test('the log row of a prefixed model is found under the name the caller used and under the bare one', async () => {
    await withChannel({ model_prefix: 'eu-' }, { model: 'eu-gpt-4o' })
    const row = (await world.logs()).at(-1)
    expect(row?.model_name).toBe('eu-gpt-4o')
    for (const model_name of ['eu-gpt-4o', 'gpt-4o', 'eu-%']) {
      const filter = { ...logFilter({ model_name }, world.ctx.catalog.current), requestId: row?.request_id }
      const { items } = await listLogs(world.ctx.database.query, filter, pageOf({}))
      expect([model_name, items.length]).toEqual([model_name, 1])
      const sums = logFilter({ model_name }, world.ctx.catalog.current)
      expect((await logStat(world.ctx.database.query, sums, systemClock.seconds())).quota).toBeGreaterThan(0)
    }
    expect(logFilter({ model_name: 'gpt-4o-mini' }, world.ctx.catalog.current).modelName).toBe('gpt-4o-mini')
  })

  test('a channel’s system prompt comes first, and before the client’s where it overrides', async () => {
    await withChannel({ system_prompt: 'Be kind.' })
    expect(firstRequest()?.json).toMatchObject({
      messages: [{ role: 'system', content: 'Be kind.' }, { role: 'user' }],
    })
    world.simulator.reset()
    const messages = [{ role: 'system', content: 'Own.' }]
    await withChannel({ system_prompt: 'Be kind.', setting: '{"system_prompt_override":true}' }, { messages })
    expect(firstRequest()?.json).toMatchObject({ messages: [{ role: 'system', content: 'Be kind.\nOwn.' }] })
  })

  test('a channel’s parameters replace the client’s, except for whether to stream', async () => {
    await withChannel({ param_override: '{"temperature":0.5,"stream":true}' }, { temperature: 1 })
    expect(firstRequest()?.json).toMatchObject({ temperature: 0.5 })
    expect(firstRequest()?.isStream).toBe(false)
  })

  test('a passed-through body is still mapped', async () => {
    const values = {
      setting: '{"pass_through_body_enabled":true}',
      system_prompt: 'x',
      model_mapping: '{"gpt-4o":"m2"}',
    }
    await withChannel(values)
    expect(firstRequest()?.json).toEqual({ model: 'm2', messages: [{ role: 'user', content: 'hello' }] })
  })

  test('a forced format drops what is not standard', async () => {
    world.simulator.next({ unknownFields: true })
    const { text } = await withChannel({ setting: '{"force_format":true}' })
    expect(text).not.toContain('zz_vendor')
    world.simulator.next({ unknownFields: true })
    const stream = await withChannel({ setting: '{"force_format":true}' }, { stream: true })
    expect(stream.text).not.toContain('zz_vendor')
    expect(stream.text).toContain('[DONE]')
  })
})

describe('names that upstreams may parse differently', () => {
  const messages = [{ role: 'user', content: 'x' }]

  test.each([
    { model: 'gpt-4o', Model: 'expensive', messages },
    { model: 'gpt-4o', messages, max_tokens: 5, Max_Tokens: 100_000 },
    { model: 'gpt-4o', messages, N: 8 },
    { model: 'gpt-4o', messages: [{ ...messages[0], Content: 'secret words' }] },
    { model: 'gpt-4o', messages, 'me\u017f\u017fages': messages },
    { model: 'gpt-4o', messages: [{ role: 'user', content: [{ type: 'text', text: 'x', TEXT: 'secret words' }] }] },
  ])('names that upstreams may parse differently are refused: %j', async (body) => {
    const response = await world.post('/v1/chat/completions', body)
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('"ambiguous_parameter"')])
    expect(world.simulator.requests).toHaveLength(0)
  })

  test('ambiguous names are left alone in the caller’s own data', async () => {
    const parameters = { type: 'object', properties: { Model: { type: 'string' }, CONTENT: { type: 'string' } } }
    const tools = [{ type: 'function', function: { name: 'f', parameters } }]
    const text = JSON.stringify({ model: 'gpt-4o', messages, tools, VendorField: 1 })
    expect((await world.post('/v1/chat/completions', text)).status).toBe(200)
    expect(world.simulator.requests[0]?.body).toBe(text)
  })

  test('ambiguous names inside a message reach the upstream once, as they were checked', async () => {
    const text = '{"model":"gpt-4o","messages":[{"role":"user","content":"secret words","content":"fine"}]}'
    expect((await world.post('/v1/chat/completions', text)).status).toBe(200)
    const body = '{"model":"gpt-4o","messages":[{"role":"user","content":"fine"}]}'
    expect(world.simulator.requests[0]?.body).toBe(body)
  })

  test('equal names in different objects leave the text unchanged', async () => {
    const text = '{ "metadata": {"model":"x"}, "model":"gpt-4o", "messages":[{"role":"user","content":"x"}] }'
    expect((await world.post('/v1/chat/completions', text)).status).toBe(200)
    expect(world.simulator.requests[0]?.body).toBe(text)
  })
})

describe('members named twice', () => {
  test.each([
    '{"model":"gpt-4o-mini","messages":[{"role":"user","content":"x"}],"model":"gpt-4o"}',
    '{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"\\u006dodel":"gpt-4o"}',
    '{"stream":true,"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"stream":false}',
  ])('reach the upstream once: %s', async (text) => {
    expect((await world.post('/v1/chat/completions', text)).status).toBe(200)
    const body = world.simulator.requests[0]?.body ?? ''
    expect(JSON.parse(body)).toMatchObject({ model: 'gpt-4o' })
    expect(body.split('"model"')).toHaveLength(2)
    expect(body.split('"stream"').length).toBeLessThanOrEqual(2)
    expect(body).not.toContain('\\u')
  })
})
