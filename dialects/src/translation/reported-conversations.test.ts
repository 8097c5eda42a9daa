import { describe, expect, test } from 'bun:test'

import { inBody } from '../core/views'
import { DialectError } from '../core/dialect-error'
import type { JsonObject } from '../core/json'
import type { DialectId } from '../core/mode'
import { translationOf } from './translation'

function translate(client: DialectId, upstream: DialectId, body: JsonObject, model = 'm') {
  const translated = translationOf(client, upstream)?.({ model, ...body }, { ...inBody, model }, model)
  if (!translated) throw new Error(`${client} does not reach ${upstream}`)
  return translated
}

const translateBody = (...request: Parameters<typeof translate>): JsonObject => translate(...request).body

const user = (content: string) => ({ role: 'user', content })
const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }
const output = (text: string, call_id = 'c') => ({ type: 'function_call_output', call_id, output: text })
const chatCall = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }

/** Where the kinds of messages stand in what a chat host receives: hosts refuse results that do not follow their calls. */
const rolesOf = ({ messages }: JsonObject): string[] =>
  (messages as JsonObject[]).map(({ role, tool_calls: calls }) => (calls ? 'calls' : String(role)))

describe('results of tools follow their calls in a chat', () => {
  test.each<[string, DialectId, JsonObject, string[]]>([
    [
      'a user speaks between a call and its result',
      'openai-responses',
      { input: [user('a'), call, user('b'), output('x')] },
      ['user', 'calls', 'tool', 'user'],
    ],
    [
      'a user speaks between the results of two calls',
      'openai-responses',
      { input: [user('a'), call, { ...call, call_id: 'd' }, output('x'), user('b'), output('y', 'd')] },
      ['user', 'calls', 'tool', 'tool', 'user'],
    ],
    [
      'the assistant speaks between a call and its result',
      'openai-responses',
      { input: [user('a'), call, { role: 'assistant', content: 'b' }, output('x'), user('c')] },
      ['user', 'calls', 'tool', 'user'],
    ],
    [
      'instructions come between a call and its result',
      'openai-responses',
      { input: [user('a'), call, { role: 'developer', content: 'b' }, output('x')] },
      ['user', 'calls', 'tool', 'user'],
    ],
    [
      'words stand before the result in one message',
      'anthropic-messages',
      {
        max_tokens: 9,
        messages: [
          user('a'),
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'b' },
              { type: 'tool_result', tool_use_id: 'c' },
            ],
          },
        ],
      },
      ['user', 'calls', 'tool', 'user'],
    ],
    [
      'a call has no result and the user goes on',
      'openai-responses',
      { input: [user('a'), call, user('b'), user('c')] },
      ['user', 'calls', 'user', 'user'],
    ],
  ])('results follow their calls where %s', (_where, client, body, roles) => {
    expect(rolesOf(translateBody(client, 'openai-chat', body))).toEqual(roles)
  })
})

test.each([
  ['openai-chat', 'gemini', /"googleSearch"/],
  ['openai-chat', 'anthropic-messages', /"web_search_20/],
  ['openai-responses', 'gemini', /"googleSearch"/],
  ['anthropic-messages', 'gemini', /"googleSearch"/],
  ['anthropic-messages', 'openai-responses', /"type":"web_search/],
] as const)('a search that a client of %s asks for as a tool is one of %s', (client, upstream, form) => {
  const tool =
    client === 'anthropic-messages' ? { type: 'web_search_20250305', name: 'web_search' } : { type: 'web_search' }
  const conversation =
    client === 'openai-responses' ? { input: [user('news?')] } : { messages: [user('news?')], max_tokens: 9 }
  const body = JSON.stringify(translateBody(client, upstream, { ...conversation, tools: [tool] }))
  expect(body).toMatch(form)
  expect(body).not.toContain('functionDeclarations')
})

const upstreams = ['openai-chat', 'anthropic-messages', 'gemini'] as const

describe.each(upstreams)('a conversation in Responses over %s', (upstream) => {
  test('items without a type are messages, also beside others', () => {
    const input = [{ type: 'message', role: 'system', content: 'Be kind' }, user('What is real?')]
    expect(JSON.stringify(translateBody('openai-responses', upstream, { input }))).toMatch(
      /Be kind[^]*What is real\?|What is real\?[^]*Be kind/,
    )
  })

  test('a reasoning item that another vendor encrypted is left out, and leaves no empty message', () => {
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAsealed' }
    const body = translateBody('openai-responses', upstream, { input: [user('a'), reasoning, user('b')] })
    expect(JSON.stringify(body)).not.toContain('sealed')
    expect(body).toEqual(
      expect.objectContaining(translateBody('openai-responses', upstream, { input: [user('a'), user('b')] })),
    )
  })

  test.each<[string, JsonObject]>([
    ['a reference to an item', { input: [user('a'), { type: 'item_reference', id: 'msg_1' }] }],
    ['an earlier response', { input: 'go on', previous_response_id: 'resp_1' }],
    ['a conversation', { input: 'go on', conversation: 'conv_1' }],
    ['a stored prompt', { input: 'go on', prompt: { id: 'pmpt_1' } }],
    ['a compaction', { input: [{ type: 'compaction', encrypted_content: 'gAAAAall' }, user('go on')] }],
  ])('%s, which holds what only its vendor knows, is refused', (_what, body) => {
    expect(() => translateBody('openai-responses', upstream, body)).toThrow(DialectError)
  })
})

describe.each(['openai-responses', 'anthropic-messages', 'gemini'] as const)('a chat over %s', (upstream) => {
  test('assistants that said nothing leave no empty message', () => {
    for (const content of ['', null, []])
      expect(
        translateBody('openai-chat', upstream, { messages: [user('a'), { role: 'assistant', content }, user('b')] }),
      ).toEqual(translateBody('openai-chat', upstream, { messages: [user('a'), user('b')] }))
  })

  test('results without content are sent as empty ones', () => {
    const requested = [user('a'), { role: 'assistant', content: null, tool_calls: [chatCall] }]
    const results = [null, '', []].map((content) => ({ role: 'tool', tool_call_id: 'c', content }))
    const bodies = results.map((result) =>
      JSON.stringify(translateBody('openai-chat', upstream, { messages: [...requested, result] })),
    )
    expect(new Set(bodies).size).toBe(1)
    expect(bodies[0]).toMatch(/function_call_output|tool_result|functionResponse/)
  })
})

const tool = (name: string, description: string) => ({ type: 'function', function: { name, description } })

describe.each(['anthropic-messages', 'gemini', 'openai-responses'] as const)('tools for %s', (upstream) => {
  const translateTools = (body: JsonObject) => translate('openai-chat', upstream, { messages: [user('a')], ...body })

  // https://github.com/cline/cline/issues/7339
  test('the second tool of a name is left out and named', () => {
    const { body, warnings } = translateTools({ tools: [tool('f', 'one'), tool('f', 'two'), tool('g', 'three')] })
    expect(JSON.stringify(body).match(/one|two|three/g)).toEqual(['one', 'three'])
    expect(warnings).toEqual(['another tool f'])
  })

  test('the choice of a tool that is not declared is left out and named', () => {
    const { body, warnings } = translateTools({
      tools: [tool('f', 'one')],
      tool_choice: { type: 'function', function: { name: 'g' } },
    })
    expect(body).toEqual(translateTools({ tools: [tool('f', 'one')] }).body)
    expect(warnings).toEqual(['the choice of the tool g'])
  })

  test('Mistral’s word for a forced call is understood', () =>
    expect(translateTools({ tools: [tool('f', 'one')], tool_choice: 'any' }).body).toEqual(
      translateTools({ tools: [tool('f', 'one')], tool_choice: 'required' }).body,
    ))
})

// https://github.com/makenotion/notion-mcp-server/issues/340
test.each(['openai-chat', 'openai-responses', 'anthropic-messages', 'cohere-chat', 'bedrock-converse'] as const)(
  'alternatives at the top of the arguments of a tool become properties for %s',
  (upstream) => {
    const branch = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] })
    const declaration = { name: 'f', parametersJsonSchema: { anyOf: [branch('url'), branch('content')] } }
    const { body } = translate('gemini', upstream, {
      contents: [{ role: 'user', parts: [{ text: 'a' }] }],
      tools: [{ functionDeclarations: [declaration] }],
    })
    expect(JSON.stringify(body)).toContain(
      '{"type":"object","properties":{"url":{"type":"string"},"content":{"type":"string"}}}',
    )
  },
)

// https://github.com/anomalyco/opencode/issues/13768
test.each([
  ['claude-opus-4-8', 'user'],
  ['anthropic.claude-sonnet-4-6-v1:0', 'user'],
  ['claude-opus-4-5', 'assistant'],
  ['kimi-k3', 'assistant'],
])('a conversation with %s that ends with an answer ends with the %s', (model, role) => {
  const messages = [user('a'), { role: 'assistant', content: 'It is ' }]
  const { body, warnings } = translate('openai-chat', 'anthropic-messages', { messages }, model)
  expect((body['messages'] as JsonObject[]).at(-1)?.['role']).toBe(role)
  expect(warnings).toEqual(role === 'user' ? ['that the model goes on with the last answer'] : [])
})

// https://github.com/anthropics/claude-code/issues/24168
test.each(['openai-chat', 'openai-responses', 'gemini'] as const)(
  'what Claude Code says of itself does not reach %s, where it would keep prompts out of the cache',
  (upstream) => {
    const note = 'x-anthropic-billing-header: cc_version=2.1.197; cch=1a2b;'
    const blocks = [note, '', 'You are Claude Code.'].map((text) => ({ type: 'text', text }))
    const request = { max_tokens: 99, messages: [user('a')] }
    const plain = translate('anthropic-messages', upstream, { ...request, system: 'You are Claude Code.' })
    for (const system of [blocks, `${note}\n\nYou are Claude Code.`]) {
      const { body, warnings } = translate('anthropic-messages', upstream, { ...request, system })
      expect(body).toEqual(plain.body)
      expect(warnings).toEqual([...plain.warnings, 'x-anthropic-billing-header'])
    }
  },
)

const notes = Buffer.from('# Ice').toString('base64')

test.each<[what: string, client: DialectId, part: JsonObject]>([
  ['base64 alone', 'openai-responses', { type: 'input_file', filename: 'a.md', file_data: notes }],
  [
    'octets of no kind',
    'openai-responses',
    { type: 'input_file', filename: 'a.md', file_data: `data:application/octet-stream;base64,${notes}` },
  ],
  ['base64 alone', 'openai-chat', { type: 'file', file: { filename: 'a.md', file_data: notes } }],
  [
    'octets of no kind',
    'openai-chat',
    { type: 'file', file: { filename: 'a.md', file_data: `data:application/octet-stream;base64,${notes}` } },
  ],
])('a file that is sent as %s by %s is of the kind that its name says', (_what, client, part) => {
  const messages = [user('See'), { role: 'user', content: [part] }]
  const request = client === 'openai-chat' ? { messages } : { input: messages }
  const claude = JSON.stringify(translate(client, 'anthropic-messages', request).body)
  expect(claude).toContain('"source":{"type":"text","media_type":"text/plain","data":"# Ice"}')
  expect(JSON.stringify(translate(client, 'gemini', request).body)).toContain('"mimeType":"text/markdown"')
})

test('a choice of words, which Google’s clients ask for, is named where there is none', () => {
  const generationConfig = { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a', 'b'] } }
  const contents = [{ role: 'user', parts: [{ text: 'Which?' }] }]
  for (const upstream of ['openai-chat', 'openai-responses', 'anthropic-messages'] as const)
    expect(translate('gemini', upstream, { contents, generationConfig }).warnings).toEqual(['the format text/x.enum'])
})

// https://github.com/QuantumNous/new-api/issues/7307
test.each([
  ['qwen3.7-plus', ['system', 'user', 'assistant', 'user', 'user']],
  ['deepseek-v4-pro', ['system', 'system', 'user', 'assistant', 'system', 'user']],
  ['gpt-4.1', ['system', 'system', 'user', 'assistant', 'system', 'user']],
])('instructions reach %s in messages of %j', (model, roles) => {
  const input = [
    { role: 'system', content: 'Be brief.' },
    user('a'),
    { role: 'assistant', content: 'b' },
    { role: 'system', content: 'Be kind.' },
    user('c'),
  ]
  const { body, warnings } = translate('openai-responses', 'openai-chat', { instructions: 'Be true.', input }, model)
  expect(rolesOf(body)).toEqual(roles)
  expect(warnings).toEqual([])
  expect(JSON.stringify(body)).toMatch(/Be true\.[^]*Be brief\.[^]*Be kind\./)
})
