import { describe, expect, test } from 'bun:test'

import { dialects } from '../dialects'
import { inBody } from '../core/views'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { noUsage } from '../core/usage'
import { translationOf } from './translation'
import { plainOptions as options } from './test/answers'

const args = { city: 'Prague', days: [1, 2] }
const text = JSON.stringify(args)

const clients: Partial<Record<DialectId, JsonObject>> = {
  'openai-chat': { messages: [{ role: 'user', content: 'hi' }] },
  'openai-responses': { input: 'hi' },
  'anthropic-messages': { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
}

const chatCall = (member: 'message' | 'delta') => ({
  choices: [
    {
      index: 0,
      [member]: { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: args } }] },
      finish_reason: 'tool_calls',
    },
  ],
})
const item = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'f' }
const hunyuanCall = (member: 'Message' | 'Delta') => ({
  Choices: [
    {
      Index: 0,
      [member]: { ToolCalls: [{ Id: 'a', Type: 'function', Index: 0, Function: { Name: 'f', Arguments: args } }] },
      FinishReason: 'tool_calls',
    },
  ],
})
const cohereCall = { id: 'a', type: 'function', function: { name: 'f', arguments: args } }

/** What upstreams say whose arguments have the other type than the dialect wants: whole, and as a stream. */
const upstreams: Partial<Record<DialectId, { readonly whole: JsonObject; readonly events: readonly JsonObject[] }>> = {
  'openai-chat': { whole: chatCall('message'), events: [chatCall('delta')] },
  'openai-responses': {
    whole: { status: 'completed', output: [{ ...item, arguments: args }] },
    events: [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: {} } },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: args } },
      { type: 'response.completed', response: {} },
    ],
  },
  'anthropic-messages': {
    whole: { content: [{ type: 'tool_use', id: 'a', name: 'f', input: text }], stop_reason: 'tool_use' },
    events: [
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'f', input: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: args } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    ],
  },
  gemini: {
    whole: {
      candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: text } }] }, finishReason: 'STOP' }],
    },
    events: [
      { candidates: [{ content: { parts: [{ functionCall: { name: 'f', args: text } }] }, finishReason: 'STOP' }] },
    ],
  },
  'cohere-chat': {
    whole: { message: { tool_calls: [cohereCall] }, finish_reason: 'TOOL_CALL' },
    events: [
      { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: cohereCall } } },
      { type: 'tool-call-end', index: 0 },
    ],
  },
  'hunyuan-chat': { whole: { Response: hunyuanCall('Message') }, events: [hunyuanCall('Delta')] },
  'ollama-chat': {
    whole: {
      message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: args } }] },
      done: true,
    },
    events: [{ message: { content: '', tool_calls: [{ function: { name: 'f', arguments: args } }] }, done: true }],
  },
  'baidu-chat': {
    whole: { id: 'x', function_call: { name: 'f', arguments: args } },
    events: [{ id: 'x', function_call: { name: 'f', arguments: args }, is_end: true }],
  },
}

const sse = (event: JsonObject) => `data: ${JSON.stringify(event)}\n\n`
const encode = (written: string) => new TextEncoder().encode(written)

/** The arguments as each client reads them. */
const inText = [`"arguments":${JSON.stringify(text)}`, `"partial_json":${JSON.stringify(text)}`]
const inObject = [`"input":${text}`, `"args":${text}`]

const pairs = Object.keys(clients).flatMap((client) =>
  Object.keys(upstreams).map((upstream) => [client as DialectId, upstream as DialectId] as const),
)

describe.each(pairs)('a %s client of a %s upstream', (client, upstream) => {
  const translated = translationOf(client, upstream)?.(
    { model: 'm', ...clients[client] },
    { ...inBody, model: 'm' },
    'm',
  )
  const upstreamAnswer = upstreams[upstream]

  test('arguments of the wrong type are read in a whole answer', () => {
    const answer = JSON.stringify(translated?.read(upstreamAnswer?.whole ?? {}).write(noUsage, options))
    expect([...inText, ...inObject].filter((one) => answer.includes(one))).toHaveLength(1)
  })

  test('arguments of the wrong type are read in a stream', () => {
    const tap = translated?.createTap?.(options)
    const parts = (upstreamAnswer?.events ?? []).map((event) => tap?.push(encode(sse(event))) ?? new Uint8Array(0))
    tap?.end()
    const stream = Buffer.concat([...parts, tap?.finish(null) ?? new Uint8Array(0)]).toString()
    expect([...inText, ...inObject].some((one) => stream.includes(one))).toBe(true)
  })
})

/** The same with arguments that are encoded twice, as their text stands where the object stood. */
const twice = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(JSON.stringify(args), JSON.stringify(JSON.stringify(text))))

describe.each(pairs.filter(([, upstream]) => !['anthropic-messages', 'gemini'].includes(upstream)))(
  'a %s client of a %s upstream that encodes arguments twice',
  (client, upstream) => {
    const translated = translationOf(client, upstream)?.(
      { model: 'm', ...clients[client] },
      { ...inBody, model: 'm' },
      'm',
    )
    const { whole, events } = twice(upstreams[upstream]) as { whole: JsonObject; events: JsonObject[] }

    test('the object is read in a whole answer', () => {
      const answer = JSON.stringify(translated?.read(whole).write(noUsage, options))
      expect([...inText, ...inObject].filter((one) => answer.includes(one))).toHaveLength(1)
    })

    test('the object is read in a stream', () => {
      const tap = translated?.createTap?.(options)
      const parts = events.map((event) => tap?.push(encode(sse(event))) ?? new Uint8Array(0))
      tap?.end()
      const stream = Buffer.concat([...parts, tap?.finish(null) ?? new Uint8Array(0)]).toString()
      expect([...inText, ...inObject].some((one) => stream.includes(one))).toBe(true)
    })
  },
)

describe('arguments that begin as a text and come in pieces', () => {
  const event = (call: JsonObject) =>
    encode(sse({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }] }))
  const noBytes = new Uint8Array(0)

  /** What a client of Responses gets of a call whose arguments come in these pieces. */
  function streamArguments(pieces: readonly string[], end: 'whole' | 'cut' = 'whole'): string {
    const pathContext = { ...inBody, model: 'm' }
    const tap = translationOf('openai-responses', 'openai-chat')?.(
      { model: 'm', input: 'hi' },
      pathContext,
      'm',
    ).createTap?.(options)
    const calls = [{ id: 'a', function: { name: 'f' } }, ...pieces.map((text) => ({ function: { arguments: text } }))]
    const parts = calls.map((call) => tap?.push(event(call)) ?? noBytes)
    tap?.end()
    if (end === 'cut') tap?.cut(1)
    return Buffer.concat([...parts, tap?.finish(null) ?? noBytes]).toString()
  }

  test('a text that holds no object is the arguments as they are', () => {
    expect(streamArguments(['"no', ' object"'])).toContain(String.raw`"arguments":"\"no object\""`)
  })

  test('a text that is cut off is the arguments as they are', () => {
    expect(streamArguments(['"{', String.raw`\"city`], 'cut')).toContain(String.raw`"arguments":"\"{\\\"city"`)
  })
})

describe('a history whose arguments have the wrong type', () => {
  const called: Partial<Record<DialectId, JsonObject>> = {
    'openai-chat': {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: args } }] },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
        { role: 'assistant', function_call: { name: 'f', arguments: args } },
      ],
    },
    'openai-responses': { input: [{ type: 'function_call', call_id: 'a', name: 'f', arguments: args }] },
    'anthropic-messages': {
      max_tokens: 9,
      messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: text }] }],
    },
    gemini: { contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args: text } }] }] },
  }
  const written = [`"arguments":${JSON.stringify(text)}`, `"input":${text}`, `"args":${text}`]
  const targets = Object.keys(clients)

  test.each(
    Object.entries(called).flatMap(([client, body]) => targets.map((target) => [client, target, body] as const)),
  )('of a %s client that encodes them twice reaches a %s upstream as it should be', (client, target, body) => {
    const translate = translationOf(client as DialectId, target as DialectId)
    const history = twice(body) as JsonObject
    const sent = JSON.stringify(translate?.({ model: 'm', ...history }, { ...inBody, model: 'm' }, 'm').body)
    expect(written.filter((one) => sent.includes(one))).toHaveLength(1)
  })

  test.each(
    Object.entries(called).flatMap(([client, body]) => targets.map((target) => [client, target, body] as const)),
  )('of a %s client reaches a %s upstream as it should be', (client, target, body) => {
    const translate = translationOf(client as DialectId, target as DialectId)
    const sent = JSON.stringify(translate?.({ model: 'm', ...body }, { ...inBody, model: 'm' }, 'm').body)
    expect(written.filter((one) => sent.includes(one))).toHaveLength(1)
    expect(sent).not.toMatch(/"(?:input|args)":\{\}/)
  })
})

describe('what passes untranslated', () => {
  const passThrough = (dialect: DialectId, events: readonly string[]): string => {
    const tap = dialects[dialect].createTap({ swallowUsage: false, addUsage: false })
    const parts = events.map((event) => tap.push(encode(event)))
    tap.end()
    return Buffer.concat([...parts, tap.finish(null)]).toString()
  }

  test('arguments are text in a chat that passes, and all else is as it came', () => {
    const before = sse({ choices: [{ index: 0, delta: { content: 'a' } }] })
    const end = 'data: [DONE]\n\n'
    const stream = passThrough('openai-chat', [before + sse(chatCall('delta')), before + end])
    const [choice] = chatCall('delta').choices
    const [call] = [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: text } }]
    expect(stream).toBe(before + sse({ choices: [{ ...choice, delta: { tool_calls: [call] } }] }) + before + end)
  })

  test('a name within arguments counts as text and not as a call', () => {
    const call = { function: { name: 'f', arguments: { name: 'x', content: 'y}' } } }
    const tap = dialects['openai-chat'].createTap({ swallowUsage: false, addUsage: false })
    tap.push(encode(sse({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })))
    expect(tap).toMatchObject({ toolCalls: 1, contentEvents: 1 })
    expect(tap.completionText()).toBe('f{"name":"x","content":"y}"}')
  })

  test('arguments are text in the items of a response that passes, also where its end repeats them', () => {
    const whole = { ...item, arguments: args }
    const reported = [
      { type: 'response.output_item.done', output_index: 0, item: whole },
      { type: 'response.completed', response: { output: [whole] } },
    ].map((event) => `event: ${event.type}\n${sse(event)}`)
    const stream = passThrough('openai-responses', reported)
    expect(stream.match(/"arguments":"\{\\"city/g)).toHaveLength(2)
    expect(stream.match(/^event: response\.\w+(?:\.\w+)?$/gm)).toHaveLength(2)
  })

  test('arguments are text in a whole answer, which is else the same object', () => {
    const { withReadableCalls: chat } = dialects['openai-chat']
    const { withReadableCalls: responses } = dialects['openai-responses']
    expect(chat?.(chatCall('message'))).toMatchObject({
      choices: [{ message: { tool_calls: [{ function: { arguments: text } }] } }],
    })
    expect(responses?.({ output: [{ ...item, arguments: args }] })).toEqual({ output: [{ ...item, arguments: text }] })
    for (const change of [chat, responses]) {
      const plain = { choices: [{ message: { content: 'a' } }], output: [{ ...item, arguments: '{}' }] }
      expect(change?.(plain)).toBe(plain)
    }
  })
})
