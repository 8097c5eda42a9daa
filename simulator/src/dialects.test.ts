import { afterAll, beforeEach, describe, expect, test } from 'bun:test'

import { asking, schema, type Json } from './test/asking'

const { simulator, send } = await asking({})
beforeEach(() => simulator.reset())
afterAll(() => simulator.stop())

/** The same question in one dialect, and the answer read back. */
interface Spoken {
  readonly path: (model: string, isStream: boolean) => string
  readonly headers: Record<string, string>
  readonly body: (model: string, isStream: boolean, tools: readonly string[]) => Json
  readonly text: (answer: Json) => string
  readonly calls: (answer: Json) => { name: string; args: unknown }[]
}

const messages = [{ role: 'user', content: 'hello there' }]
const functions = (tools: readonly string[]) =>
  tools.map((name) => ({ type: 'function', function: { name, parameters: schema } }))
const contents = [{ role: 'user', parts: [{ text: 'hello there' }] }]
const bearer = { authorization: 'Bearer key' }
const claudeText = (response: Json) => response.content.map((block: Json) => block.text ?? '').join('')
const claudeCalls = (response: Json) =>
  response.content
    .filter((block: Json) => block.type === 'tool_use')
    .map(({ name, input }: Json) => ({ name, args: input }))
const claudeBody = (tools: readonly string[]) => ({
  max_tokens: 4096,
  messages,
  tools: tools.map((name) => ({ name, input_schema: schema })),
})
const geminiBody = (_model: string, _isStream: boolean, tools: readonly string[]) => ({
  contents,
  ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map((name) => ({ name, parameters: schema })) }] }),
})
const partsIn = (response: Json): Json[] => response.candidates[0].content.parts
const geminiText = (response: Json) =>
  partsIn(response)
    .map((part) => (part.thought ? '' : (part.text ?? '')))
    .join('')
const geminiCalls = (response: Json) =>
  partsIn(response).flatMap(({ functionCall: call }) => (call ? [{ name: call.name, args: call.args }] : []))
const geminiCall = (isStream: boolean) => (isStream ? 'streamGenerateContent?alt=sse' : 'generateContent')
const place = '/v1/projects/p/locations/global/publishers'
const readCalls = (calls: Json[] | undefined) =>
  (calls ?? []).map(({ function: call }) => ({ name: call.name, args: JSON.parse(call.arguments) }))

const dialects: Record<string, Spoken> = {
  openai: {
    path: () => '/v1/chat/completions',
    headers: bearer,
    body: (model, stream, tools) => ({ model, stream, messages, tools: functions(tools) }),
    text: ({ choices }) => choices[0].message.content ?? choices[0].message.refusal ?? '',
    calls: ({ choices }) => readCalls(choices[0].message.tool_calls),
  },
  'openai-responses': {
    path: () => '/v1/responses',
    headers: bearer,
    body: (model, stream, tools) => ({
      model,
      stream,
      input: messages,
      tools: tools.map((name) => ({ type: 'function', name, parameters: schema })),
    }),
    text: ({ output }) =>
      output
        .flatMap((item: Json) => item.content ?? [])
        .map((part: Json) => part.text ?? part.refusal)
        .join(''),
    calls: ({ output }) =>
      output
        .filter((item: Json) => item.type === 'function_call')
        .map((item: Json) => ({ name: item.name, args: JSON.parse(item.arguments) })),
  },
  anthropic: {
    path: () => '/v1/messages',
    headers: { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' },
    body: (model, stream, tools) => ({ model, stream, ...claudeBody(tools) }),
    text: claudeText,
    calls: claudeCalls,
  },
  bedrock: {
    path: (model, isStream) =>
      `/model/${encodeURIComponent(model)}/${isStream ? 'invoke-with-response-stream' : 'invoke'}`,
    headers: bearer,
    body: (_model, _isStream, tools) => ({ anthropic_version: 'bedrock-2023-05-31', ...claudeBody(tools) }),
    text: claudeText,
    calls: claudeCalls,
  },
  'vertex-anthropic': {
    path: (model, isStream) =>
      `${place}/anthropic/models/${encodeURIComponent(model)}:${isStream ? 'streamRawPredict' : 'rawPredict'}`,
    headers: bearer,
    body: (_model, _isStream, tools) => ({ anthropic_version: 'vertex-2023-10-16', ...claudeBody(tools) }),
    text: claudeText,
    calls: claudeCalls,
  },
  gemini: {
    path: (model, isStream) => `/v1beta/models/${encodeURIComponent(model)}:${geminiCall(isStream)}`,
    headers: { 'x-goog-api-key': 'key' },
    body: geminiBody,
    text: geminiText,
    calls: geminiCalls,
  },
  vertex: {
    path: (model, isStream) => `${place}/google/models/${encodeURIComponent(model)}:${geminiCall(isStream)}`,
    headers: bearer,
    body: geminiBody,
    text: geminiText,
    calls: geminiCalls,
  },
  cohere: {
    path: () => '/v2/chat',
    headers: bearer,
    body: (model, stream, tools) => ({ model, stream, messages, tools: functions(tools) }),
    text: ({ message }) => (message.content ?? []).map((part: Json) => part.text ?? '').join(''),
    calls: ({ message }) => readCalls(message.tool_calls),
  },
}

describe.each(Object.entries(dialects))('%s', (_name, spoken) => {
  const sendChat = (model: string, { isStream = false, tools = [] }: { isStream?: boolean; tools?: string[] } = {}) =>
    send(spoken.path(model, isStream), spoken.body(model, isStream, tools), spoken.headers)

  test.each([
    ['sim:tokens=5', 'the quick brown fox jumps', 5],
    ['sim:tokens=2;think=3', 'the quick', 5],
    ['sim:text=two%20words', 'two words', 2],
    ['sim:end=refusal', 'I cannot help with that.', 5],
  ])('says the same to %s, and counts it the same', async (model, text, completionTokens) => {
    expect(spoken.text((await sendChat(model)).json)).toBe(text)
    await sendChat(model, { isStream: true })
    for (const request of simulator.requests) {
      expect(request).toMatchObject({ model, counted: { promptTokens: 6, completionTokens } })
    }
    expect(simulator.served.byKey('key')).toMatchObject({ completed: 2, completionTokens: 2 * completionTokens })
  })

  test('calls the same tools with the same arguments', async () => {
    const args = encodeURIComponent('[{"city":"Ulm"}]')
    const { json } = await sendChat(`sim:args=${args}`, { tools: ['a', 'b'] })
    expect(spoken.calls(json)).toEqual([
      { name: 'a', args: { city: 'Ulm' } },
      { name: 'b', args: { city: 'sample', days: 7 } },
    ])
    expect(simulator.requests[0]?.counted?.completionTokens).toBe(20)
  })

  test.each(['gzip', 'split-frames', 'joined-frames'])('%s changes the bytes, not the meaning', async (fault) => {
    expect(spoken.text((await sendChat(`sim-fault-${fault}`)).json)).toBe('the quick brown fox jumps over a lazy')
    const plain = await sendChat('sim:tokens=8', { isStream: true })
    const bent = await sendChat(`sim-fault-${fault}`, { isStream: true })
    expect(bent.events.length).toBe(plain.events.length)
  })

  test.each(['reset-before-headers', 'reset-after-headers', 'reset-mid-stream', 'cut-mid-stream'])(
    '%s breaks a stream',
    async (fault) => {
      expect(await sendChat(`sim-fault-${fault}`, { isStream: true }).catch(() => 'broken')).toBe('broken')
      await simulator.quiet()
      expect(simulator.requests[0]).toMatchObject({ outcome: 'broken' })
      expect(simulator.served.total.completionTokens).toBe(0)
    },
  )

  test.each(['malformed-json', 'truncated-json', 'html-200', 'empty-200'])('%s is not JSON', async (fault) => {
    expect(typeof (await sendChat(`sim-fault-${fault}`)).json).toBe('string')
  })

  test.each([400, 401, 429, 500, 503])(
    'a fault of status %d is written in the words of the dialect',
    async (status) => {
      const response = await sendChat(`sim-fault-status-${status}`)
      expect(response.status).toBe(status)
      expect(response.text).toContain(`Simulated upstream error ${status}`)
    },
  )

  test('an error inside a stream that began well', async () => {
    const { status, text } = await sendChat('sim-fault-error-after-frames', { isStream: true })
    expect(status).toBe(200)
    expect(text).toContain('Simulated error inside an answer')
  })

  test('an error instead of an answer', async () => {
    const { status, text } = await sendChat('sim-fault-error-in-200')
    expect([status, text.includes('Simulated error inside an answer')]).toEqual([200, true])
  })

  test('a stream can lack its end', async () => {
    const whole = await sendChat('sim:tokens=8', { isStream: true })
    const cut = await sendChat('sim:no-done', { isStream: true })
    expect(cut.text.length).toBeLessThan(whole.text.length)
  })

  test('a usage can be withheld', async () => {
    await sendChat('sim:usage=none')
    await sendChat('sim:usage=none', { isStream: true })
    for (const { counted } of simulator.requests) {
      expect([counted?.completionTokens, counted?.reported]).toEqual([8, undefined])
    }
  })
})

test('a key that is not known is refused in the words of the dialect', async () => {
  await using strict = await strictSimulator()
  const { path, headers, body } = dialects['anthropic'] ?? {}
  const response = await strict.ask(path?.('m', false) ?? '', body?.('m', false, []), headers)
  expect(response).toMatchObject({ status: 401, json: { type: 'error', error: { type: 'authentication_error' } } })
})

async function strictSimulator() {
  const strict = await asking({}, { keys: ['good'] })
  return { ask: strict.send, [Symbol.asyncDispose]: () => strict.simulator.stop() }
}
