import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { Message, NeutralCall, Part, Tool, ToolResultPart } from '../../../core/neutral/call'
import { aCall, noSampling } from '../../../core/neutral/test/fixtures'
import { objectOf, objectsOf, textOf } from '../../../core/neutral/read'
import { cohereChatCodec as codec } from '../codec'

const model = 'command-a-reasoning-08-2025'

function writeCall(change: Partial<NeutralCall>) {
  const warnings: string[] = []
  const body = codec.writeCall(aCall({ model, ...change }), (what) => warnings.push(what))
  return { body, warnings }
}

const messagesOf = (...messages: Message[]) => writeCall({ messages }).body['messages']
const text = (value: string): Part => ({ kind: 'text', text: value })
const call: Part = { kind: 'tool-call', id: 'w1', name: 'weather', argumentsText: '{"city":"Bern"}' }
const wireCall = { id: 'w1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }
const result: ToolResultPart = {
  kind: 'tool-result',
  callId: 'w1',
  name: 'weather',
  parts: [{ kind: 'text', text: 'rain' }],
  isError: false,
}
const weather: Tool = { kind: 'function', name: 'weather', description: 'Looks.', schema: {}, isStrict: null }
const clock: Tool = { kind: 'function', name: 'clock', description: '', schema: { properties: {} }, isStrict: true }
const wireWeather = {
  type: 'function',
  function: { name: 'weather', description: 'Looks.', parameters: { type: 'object' } },
}

describe('a request', () => {
  test('says the least where the least was asked', () => {
    expect(writeCall({})).toEqual({ body: { model, messages: [{ role: 'user', content: 'hi' }] }, warnings: [] })
  })

  test('holds a whole turn with tools', () => {
    expect(
      messagesOf(
        { role: 'system', parts: [text('Be '), text('brief.')] },
        { role: 'user', parts: [text('Weather?')] },
        { role: 'assistant', parts: [{ kind: 'thinking', text: 'Hm.' }, text('I will look.'), call] },
        { role: 'user', parts: [text('Well?'), result] },
        { role: 'assistant', parts: [{ kind: 'thinking', text: 'So.' }, text('Rain.')] },
      ),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'Hm.' }],
        tool_plan: 'I will look.',
        tool_calls: [wireCall],
      },
      { role: 'tool', tool_call_id: 'w1', content: 'rain' },
      { role: 'user', content: 'Well?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'So.' },
          { type: 'text', text: 'Rain.' },
        ],
      },
    ])
  })

  test('shows pictures and files of text', () => {
    const file: Part = {
      kind: 'file',
      name: 'a.txt',
      source: { kind: 'data', mime: 'text/plain', data: Buffer.from('plain').toString('base64') },
    }
    const image: Part = { kind: 'image', source: { kind: 'data', mime: 'image/png', data: 'AA==' }, detail: 'low' }
    const far: Part = { kind: 'image', source: { kind: 'url', url: 'https://x/y.png' } }
    expect(messagesOf({ role: 'user', parts: [text('See:'), image, far, file] })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
          { type: 'text', text: 'a.txt:\nplain' },
        ],
      },
    ])
  })

  test('writes no message without content, and only objects as arguments', () => {
    const broken: Part = { kind: 'tool-call', id: 'b', name: 'f', argumentsText: '{"a' }
    const silent: Part = { kind: 'tool-result', callId: 'b', name: 'f', parts: [], isError: true }
    expect(
      messagesOf(
        { role: 'user', parts: [text('')] },
        { role: 'assistant', parts: [{ kind: 'thinking', text: 'Hm.' }] },
        { role: 'assistant', parts: [broken, { ...call, argumentsText: '' }] },
        { role: 'user', parts: [silent] },
      ),
    ).toEqual([
      {
        role: 'assistant',
        tool_calls: [
          { id: 'b', type: 'function', function: { name: 'f', arguments: '{"input":"{\\"a"}' } },
          { ...wireCall, function: { name: 'weather', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'b', content: 'The tool failed.' },
    ])
  })

  test('says the sampling in the vendor’s words and bounds', () => {
    const sampling = {
      ...noSampling,
      maxTokens: 9,
      temperature: 0.2,
      topP: 1,
      topK: 900,
      seed: 7,
      presencePenalty: -1,
      frequencyPenalty: 1.5,
      stop: ['a', 'b', 'c', 'd', 'e', 'f'],
    }
    expect(writeCall({ sampling, isStream: true })).toEqual({
      body: {
        model,
        messages: [{ role: 'user', content: 'hi' }],
        max_tokens: 9,
        temperature: 0.2,
        p: 0.99,
        k: 500,
        seed: 7,
        presence_penalty: 0,
        frequency_penalty: 1,
        stop_sequences: ['a', 'b', 'c', 'd', 'e'],
        stream: true,
      },
      warnings: ['more than 5 stop sequences', 'a negative penalty'],
    })
  })

  test('warns of what the vendor has no word for', () => {
    const { warnings } = writeCall({
      sampling: { ...noSampling, choices: 2, hasLogProbabilities: true },
      user: 'u',
      metadata: { a: 'b' },
      serviceTier: 'flex',
      modalities: ['audio'],
      own: { dialect: 'openai-chat', members: { logit_bias: {}, thinking: {} } },
    })
    expect(warnings).toEqual([
      'more than one choice',
      'log probabilities',
      'user',
      'metadata',
      'service_tier',
      'answers in anything but text',
    ])
  })
})

describe('tools', () => {
  test.each([
    [null, undefined, 2],
    [{ kind: 'auto' }, undefined, 2],
    [{ kind: 'none' }, 'NONE', 2],
    [{ kind: 'required' }, 'REQUIRED', 2],
    [{ kind: 'required', among: ['clock'] }, 'REQUIRED', 1],
    [{ kind: 'tool', name: 'clock' }, 'REQUIRED', 1],
  ] as const)('%j is %s among %d', (toolChoice, word, count) => {
    const { body } = writeCall({ tools: [weather, clock], toolChoice })
    expect(body['tool_choice']).toBe(word)
    expect(body['tools']).toHaveLength(count)
    expect(objectsOf(body['tools']).slice(0, -1)).toEqual(count === 2 ? [wireWeather] : [])
  })

  test('tools are all strict or none of them is', () => {
    expect(writeCall({ tools: [clock] }).body['strict_tools']).toBe(true)
    const mixed = writeCall({ tools: [weather, clock] })
    expect(mixed.body).not.toHaveProperty('strict_tools')
    expect(mixed.warnings).toEqual(['some tools strict'])
  })

  test('tools of other vendors are left out', () => {
    const search: Tool = { kind: 'built-in', tool: 'web-search', own: { dialect: 'openai-chat', value: {} } }
    expect(writeCall({ tools: [search], toolChoice: { kind: 'required' } })).toEqual({
      body: { model, messages: [{ role: 'user', content: 'hi' }] },
      warnings: ['the built-in tool web-search'],
    })
  })
})

describe('the form of the answer', () => {
  const schema = { type: 'object', required: ['a'] }
  const output = { kind: 'schema', name: 'n', description: '', schema, isStrict: true } as const

  test('the output format is JSON with or without a schema', () => {
    expect(writeCall({ output }).body['response_format']).toEqual({ type: 'json_object', json_schema: schema })
    expect(writeCall({ output: { kind: 'json' } }).body['response_format']).toEqual({ type: 'json_object' })
  })

  test('a format gives way to tools', () => {
    expect(writeCall({ output, tools: [weather] })).toMatchObject({
      body: expect.not.objectContaining({ response_format: expect.anything() }),
      warnings: ['the format of the answer beside tools'],
    })
  })
})

describe('members of the vendor’s own', () => {
  const members = { documents: ['d'], safety_mode: 'STRICT', citation_options: { mode: 'FAST' } }

  test('go through, the safety mode where nothing excludes it', () => {
    const alone = { safety_mode: 'STRICT', citation_options: { mode: 'FAST' } }
    expect(writeCall({ own: { dialect: 'openai-chat', members: alone } }).body).toMatchObject(alone)
    const { body } = writeCall({ own: { dialect: 'openai-chat', members: { ...members, priority: null } } })
    expect(body).toMatchObject({ documents: ['d'], citation_options: { mode: 'FAST' } })
    expect(body).not.toHaveProperty('safety_mode')
    expect(body).not.toHaveProperty('priority')
  })
})

describe('thinking', () => {
  const thinking = { isEnabled: true, effort: null, budgetTokens: null, isShown: null, summary: null }

  test.each([
    [thinking, { type: 'enabled' }],
    [
      { ...thinking, effort: 'low' },
      { type: 'enabled', token_budget: 2048 },
    ],
    [
      { ...thinking, budgetTokens: 500 },
      { type: 'enabled', token_budget: 500 },
    ],
    [{ ...thinking, budgetTokens: -1 }, { type: 'enabled' }],
    [{ ...thinking, isEnabled: false }, { type: 'disabled' }],
    [{ ...thinking, effort: 'none' }, { type: 'disabled' }],
  ] as const)('%j is %j', (requested, expected) => {
    expect(writeCall({ thinking: requested }).body['thinking']).toEqual(expected)
  })

  test('thinking by effort leaves room for the response, thinking by tokens is passed on', () => {
    const sampling = { ...noSampling, maxTokens: 1000 }
    const budget = (requested: NeutralCall['thinking']) => writeCall({ thinking: requested, sampling }).body['thinking']
    expect(budget({ ...thinking, effort: 'high' })).toEqual({ type: 'enabled', token_budget: 800 })
    expect(budget({ ...thinking, budgetTokens: 5000 })).toEqual({ type: 'enabled', token_budget: 5000 })
  })

  test.each(['command-r-plus-08-2024', 'command-a-03-2025', 'command', 'command-light', 'c4ai-aya-23-8b'])(
    '%s is not asked for it, nor shown thoughts',
    (old) => {
      const messages: Message[] = [{ role: 'assistant', parts: [{ kind: 'thinking', text: 'Hm.' }, text('Yes.')] }]
      const { body, warnings } = writeCall({ model: old, thinking, messages })
      expect(body).toEqual({ model: old, messages: [{ role: 'assistant', content: 'Yes.' }] })
      expect(warnings).toEqual(['earlier thinking', 'thinking, which the model does not do'])
    },
  )
})

const word = fc.string({ unit: 'grapheme', minLength: 1 })
const args = fc.dictionary(word, fc.jsonValue()).map((value) => JSON.stringify(value))
const anyTurn = fc
  .record({ asked: word, plan: fc.option(word), calls: fc.array(fc.record({ id: fc.uuid(), args }), { minLength: 1 }) })
  .map(({ asked: requested, plan, calls }): Message[] => [
    { role: 'user', parts: [text(requested)] },
    {
      role: 'assistant',
      parts: [
        ...(plan === null ? [] : [text(plan)]),
        ...calls.map((each): Part => ({ kind: 'tool-call', id: each.id, name: 'f', argumentsText: each.args })),
      ],
    },
    {
      role: 'user',
      parts: calls.map(({ id }): Part => ({ ...result, callId: id })),
    },
  ])

test('a talk keeps its texts, its calls and their results, in order', () => {
  fc.assert(
    fc.property(fc.array(anyTurn, { minLength: 1, maxLength: 3 }), (turns) => {
      const expected = turns.flat().flatMap(({ role, parts }) =>
        parts.map((part) => {
          if (part.kind === 'text') return `${role === 'user' ? 'user' : 'plan'} ${part.text}`
          if (part.kind === 'tool-call') return `call ${part.id} ${part.argumentsText}`
          return part.kind === 'tool-result' ? `result ${part.callId}` : ''
        }),
      )
      const actual = objectsOf(messagesOf(...turns.flat())).flatMap((message) => {
        if (message['role'] === 'user') return [`user ${textOf(message['content'])}`]
        if (message['role'] === 'tool') return [`result ${textOf(message['tool_call_id'])}`]
        const plan = 'tool_plan' in message ? [`plan ${textOf(message['tool_plan'])}`] : []
        const calls = objectsOf(message['tool_calls']).map(
          (each) => `call ${textOf(each['id'])} ${textOf(objectOf(each['function'])['arguments'])}`,
        )
        return [...plan, ...calls]
      })
      expect(actual).toEqual(expected)
    }),
  )
})
