import { afterAll, beforeEach, expect, test } from 'bun:test'
import { connect } from 'node:net'

import { startSimulator } from './simulator'

const simulator = await startSimulator()
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

const post = (body: unknown, path = '/v1/chat/completions', init: RequestInit = {}) =>
  fetch(simulator.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json', 'x-request-id': 'r1' },
    body: JSON.stringify(body),
    ...init,
  })

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

const hello = [{ role: 'user', content: 'hello there' }]

const dataOf = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice(6))

test('answers a chat with as many words as tokens and says so', async () => {
  const response = await (await post({ model: 'sim:tokens=5', messages: hello })).json()
  expect(response.choices[0].message.content).toBe('the quick brown fox jumps')
  expect(response.usage).toEqual({ prompt_tokens: 6, completion_tokens: 5, total_tokens: 11 })
  expect(simulator.served.byKey('sk-test')).toMatchObject({ completed: 1, promptTokens: 6, completionTokens: 5 })
  expect(simulator.served.byRequestId('r1').completed).toBe(1)
})

test('streams a frame for each word and reports usage only when asked', async () => {
  const plain = dataOf(await (await post({ model: 'm', stream: true, messages: hello })).text())
  expect(plain).toHaveLength(11)
  expect(plain.at(-1)).toBe('[DONE]')
  expect(plain.join('')).not.toContain('usage')
  const requested = dataOf(
    await (await post({ model: 'm', stream: true, stream_options: { include_usage: true }, messages: hello })).text(),
  )
  expect(JSON.parse(requested.at(-2) ?? '')).toMatchObject({ choices: [], usage: { completion_tokens: 8 } })
  expect(JSON.parse(requested[0] ?? '').usage).toBeNull()
})

test('streams the arguments of parallel tools in turns', async () => {
  const tool = (name: string) => ({
    type: 'function',
    function: {
      name,
      parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
    },
  })
  const events = dataOf(
    await (await post({ model: 'm', stream: true, messages: hello, tools: [tool('a'), tool('b')] })).text(),
  )
  const joined = ['', '']
  for (const event of events.slice(0, -1)) {
    for (const call of JSON.parse(event).choices[0].delta.tool_calls ?? [])
      joined[call.index] += call.function.arguments
  }
  expect(joined.map((text) => JSON.parse(text))).toEqual([
    { city: 'sample', days: 7 },
    { city: 'sample', days: 7 },
  ])
})

test('a simulator responds under any base path', async () => {
  for (const path of [
    '/api/v3/chat/completions',
    '/compatible-mode/v1/chat/completions',
    '/v1/text/chatcompletion_v2',
  ]) {
    expect((await post({ model: 'm', messages: hello }, path)).status).toBe(200)
  }
  expect((await post({ messages: hello }, '/openai/deployments/gpt-4o/chat/completions?api-version=1')).status).toBe(
    200,
  )
  expect(simulator.requests.at(-1)).toMatchObject({ model: 'gpt-4o', query: 'api-version=1' })
  expect((await fetch(`${simulator.url}/api/v1/credits`)).status).toBe(200)
  expect((await fetch(`${simulator.url}/nothing`)).status).toBe(404)
})

test('a script beats the model name, and each rule its older ones', async () => {
  simulator.when((request) => request.apiKey === 'sk-test', { tokens: 2 })
  simulator.when((request) => request.model === 'special', { tokens: 3 })
  simulator.next({ tokens: 1 })
  const tokens = async (model: string) =>
    (await (await post({ model, messages: hello })).json()).usage.completion_tokens
  expect([await tokens('special'), await tokens('special'), await tokens('other')]).toEqual([1, 3, 2])
})

test('a fault may come each n-th time only', async () => {
  const statuses: number[] = []
  for (let call = 0; call < 4; call += 1) {
    statuses.push((await post({ model: 'sim:fault=status-503;every=2', messages: hello })).status)
  }
  expect(statuses).toEqual([200, 503, 200, 503])
})

test('refuses keys it was not given', async () => {
  await using strict = await disposable({ keys: ['good'] })
  const response = await fetch(`${strict.url}/v1/chat/completions`, { method: 'POST', body: '{}' })
  expect(response.status).toBe(401)
})

test('says so when it does not know what is asked for', async () => {
  expect((await post({ model: 'sim-fault-nonsense', messages: hello })).status).toBe(400)
})

test('resets before the headers, in a body and in a stream', async () => {
  for (const model of ['sim-fault-reset-before-headers', 'sim-fault-reset-after-headers', 'sim-fault-reset-mid-body']) {
    expect(await failureOf(post({ model, messages: hello }).then((response) => response.text()))).toBeInstanceOf(Error)
  }
  const stream = post({ model: 'sim-fault-reset-mid-stream', stream: true, messages: hello })
  expect(await failureOf(stream.then((response) => response.text()))).toBeInstanceOf(Error)
  await simulator.arrival(4)
  await simulator.quiet()
  expect(simulator.requests.map((request) => request.outcome)).toEqual(Array(4).fill('broken'))
  expect(simulator.requests[3]?.framesDelivered).toBe(3)
  expect(simulator.served.total.completionTokens).toBe(0)
})

test('knows when the client goes and stops at that frame', async () => {
  const gate = Promise.withResolvers<void>()
  simulator.next({ gate: (frame) => (frame === 2 ? gate.promise : undefined) })
  const controller = new AbortController()
  const response = await post({ model: 'm', stream: true, messages: hello }, undefined, { signal: controller.signal })
  const reader = response.body?.getReader()
  await reader?.read()
  controller.abort()
  const request = await simulator.arrival(1)
  expect(await request.ended).toBe('aborted')
  expect(request.framesDelivered).toBe(2)
})

test('a stall ends with the client', async () => {
  const controller = new AbortController()
  const response = post({ model: 'sim-fault-stall-before-headers' }, undefined, { signal: controller.signal })
  const request = await simulator.arrival(1)
  controller.abort()
  expect(await failureOf(response)).toBeInstanceOf(Error)
  expect(await request.ended).toBe('aborted')
})

test.each(['split-frames', 'joined-frames', 'gzip', 'crlf', 'comments', 'unknown-fields'])(
  '%s changes the bytes, not the meaning',
  async (fault) => {
    const textFrom = async (model: string) => {
      const events = (await (await post({ model, stream: true, messages: hello })).text()).split(/\r?\n/)
      const data = events.filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)))
      return data.map((event) => event.choices[0].delta.content ?? '').join('')
    }
    expect(await textFrom(`sim-fault-${fault}`)).toBe(await textFrom('plain'))
  },
)

test.each(['malformed-json', 'html-200', 'empty-200', 'truncated-json'])('%s is not JSON', async (fault) => {
  const text = await (await post({ model: `sim-fault-${fault}`, messages: hello })).text()
  expect(() => JSON.parse(text)).toThrow()
})

test('a huge frame arrives whole', async () => {
  const text = await (await post({ model: 'sim:huge=8388608', stream: true, messages: hello })).text()
  expect(text.length).toBeGreaterThan(8_388_608)
  expect(simulator.requests[0]?.bytesDelivered).toBe(Buffer.byteLength(text))
})

test('serves pipelined requests and chunked bodies in their order', async () => {
  const body = '{"model":"a","messages":[]}'
  const chunked = `POST /v1/chat/completions HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const models = 'GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n'
  const received = Promise.withResolvers<string>()
  let text = ''
  const socket = connect(simulator.port, '127.0.0.1', () => socket.write(chunked + models))
  socket.on('data', (bytes) => {
    text += bytes.toString()
    if (text.includes('"list"')) received.resolve(text)
  })
  expect(await received.promise).toMatch(/chat\.completion.*"object":"list"/s)
  socket.destroy()
})

async function disposable(options: Parameters<typeof startSimulator>[0]) {
  const started = await startSimulator(options)
  return { url: started.url, [Symbol.asyncDispose]: () => started.stop() }
}
