import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '../../../core/json'
import type { Message, NeutralCall, Part, Tool } from '../../../core/neutral/call'
import { readMessagesRequest } from '../request'
import { aCall } from '../../../core/neutral/test/fixtures'
import { anthropicMessagesCodec as codec } from '../codec'

function write(change: Partial<NeutralCall> = {}): { body: JsonObject; warnings: string[] } {
  const warnings: string[] = []
  const body = codec.writeCall(aCall(change), (what) => warnings.push(what))
  readMessagesRequest(body)
  return { body, warnings }
}
const text = (value: string): Part => ({ kind: 'text', text: value })
const user = (...parts: Part[]): Message => ({ role: 'user', parts })
const assistant = (...parts: Part[]): Message => ({ role: 'assistant', parts })
const call = (id: string): Part => ({ kind: 'tool-call', id, name: 'f', argumentsText: '{"a":1}' })
const result = (callId: string): Part => ({ kind: 'tool-result', callId, name: 'f', parts: [], isError: false })
const lookup: Tool = { kind: 'function', name: 'f', description: '', schema: {}, isStrict: null }

describe('a request is written', () => {
  test('writes the required members', () => {
    expect(write()).toEqual({
      body: {
        model: 'claude-sonnet-4-5',
        max_tokens: 8192,
        messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      },
      warnings: [],
    })
  })

  test('writes turns that alternate, begin with the user and are never blank', () => {
    const messages: Message[] = [
      { role: 'developer', parts: [text('One.')] },
      assistant(text('Hello.')),
      { role: 'system', parts: [{ kind: 'text', text: 'Two.', cache: '1h' }] },
      user(text(''), text('a')),
      user(text('b'), result('t')),
      assistant(text(' ')),
      user(text('c')),
      assistant(text('So ')),
    ]
    expect(write({ messages }).body).toMatchObject({
      system: [
        { type: 'text', text: 'One.' },
        { type: 'text', text: 'Two.', cache_control: { type: 'ephemeral', ttl: '1h' } },
      ],
      messages: [
        { role: 'user', content: [{ text: '...' }] },
        { role: 'assistant', content: [{ text: 'Hello.' }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't' }, { text: 'a' }, { text: 'b' }, { text: 'c' }],
        },
        { role: 'assistant', content: [{ text: 'So' }] },
      ],
    })
    expect(write({ messages: [] }).body['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: '...' }] },
    ])
  })

  test('keeps instructions within the conversation for its own clients', () => {
    const messages: Message[] = [user(text('a')), { role: 'system', parts: [text('Now briefly.')] }]
    expect(write({ messages, own: { dialect: 'anthropic-messages', members: {} } }).body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'system', content: [{ text: 'Now briefly.' }] },
    ])
  })

  test('writes calls and results with the same valid ids', () => {
    const messages = [
      user(text('a')),
      assistant(call('f:1'), { kind: 'tool-call', id: 'g', name: 'g', argumentsText: '{"a"' }),
      user(
        { ...result('f:1'), kind: 'tool-result', isError: true, parts: [{ kind: 'text', text: 'no' }] } as Part,
        result('g'),
      ),
    ]
    const { body, warnings } = write({ messages, tools: [lookup] })
    expect(body['messages']).toMatchObject([
      {},
      {
        content: [
          { type: 'tool_use', id: 'f_3a_1', name: 'f', input: { a: 1 } },
          { type: 'tool_use', id: 'g', input: {} },
        ],
      },
      {
        content: [
          { type: 'tool_result', tool_use_id: 'f_3a_1', is_error: true, content: [{ type: 'text', text: 'no' }] },
          { type: 'tool_result', tool_use_id: 'g' },
        ],
      },
    ])
    expect(warnings).toEqual(['arguments of a call that are no JSON object'])
  })

  test('writes images and files it supports, and warns about others', () => {
    const data = (mime: string, held = 'AA==') => ({ kind: 'data', data: held, mime }) as const
    const { body, warnings } = write({
      messages: [
        user(
          { kind: 'image', source: data('image/jpg') },
          { kind: 'image', source: data('image/heic') },
          { kind: 'image', source: { kind: 'url', url: 'https://a.example/a' } },
          { kind: 'file', source: data('application/pdf'), name: 'a.pdf', citations: true, cache: '5m' },
          { kind: 'file', source: data('text/csv', btoa('a,b')) },
          { kind: 'file', source: { kind: 'id', id: 'file_1' }, context: 'C' },
          { kind: 'file', source: { kind: 'id', id: 'file-openai' } },
          { kind: 'audio', source: data('audio/wav') },
          { kind: 'own', dialect: 'gemini', value: {} },
        ),
      ],
    })
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AA==' } },
          { type: 'image', source: { type: 'url', url: 'https://a.example/a' } },
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' },
            title: 'a.pdf',
            citations: { enabled: true },
            cache_control: { type: 'ephemeral' },
          },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a,b' } },
          { type: 'document', source: { type: 'file', file_id: 'file_1' }, context: 'C' },
        ],
      },
    ])
    expect(warnings).toEqual(['image image/heic', 'file of another vendor', 'audio', 'the part gemini'])
  })

  test('writes signed thoughts only', () => {
    const { body, warnings } = write({
      messages: [
        user(text('a')),
        assistant(
          { kind: 'thinking', text: 'unsigned' },
          { kind: 'thinking', text: 'hm', signature: 'c2ln' },
          { kind: 'thinking', text: '', signature: 'cmVk', isRedacted: true },
          text('b'),
        ),
      ],
    })
    expect(body['messages']).toMatchObject([
      {},
      {
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'cmVk' },
          {},
        ],
      },
    ])
    expect(warnings).toEqual(['thinking without a signature'])
  })

  test.each([
    [{ toolChoice: { kind: 'auto' } }, { type: 'auto' }],
    [{ toolChoice: { kind: 'none' }, parallelTools: false }, { type: 'none' }],
    [
      { toolChoice: { kind: 'required' }, parallelTools: false },
      { type: 'any', disable_parallel_tool_use: true },
    ],
    [{ toolChoice: { kind: 'tool', name: 'f' } }, { type: 'tool', name: 'f' }],
    [{ toolChoice: { kind: 'required', among: ['f'] } }, { type: 'tool', name: 'f' }],
    [{ parallelTools: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [{ parallelTools: true }, undefined],
  ] satisfies [Partial<NeutralCall>, unknown][])('with the choice %j', (change, choice) => {
    expect(write({ ...change, tools: [lookup] }).body['tool_choice']).toEqual(choice)
    expect(write(change).body['tool_choice']).toBeUndefined()
  })

  test('replaces the built-in tools of others by its own', () => {
    const builtIn = (
      tool: 'web-search' | 'web-fetch' | 'code-execution' | 'file-search',
      value: JsonObject = {},
    ): Tool => ({
      kind: 'built-in',
      tool,
      own: { dialect: 'openai-chat', value },
    })
    const options = {
      search_context_size: 'high',
      user_location: { type: 'approximate', approximate: { city: 'Kiel' } },
    }
    const { body, warnings } = write({
      tools: [builtIn('web-search', options), builtIn('web-fetch'), builtIn('code-execution'), builtIn('file-search')],
    })
    expect(body['tools']).toEqual([
      {
        type: 'web_search_20250305',
        name: 'web_search',
        max_uses: 10,
        user_location: { type: 'approximate', city: 'Kiel' },
      },
      { type: 'web_fetch_20250910', name: 'web_fetch' },
      { type: 'code_execution_20250825', name: 'code_execution' },
    ])
    expect(warnings).toEqual(['the built-in tool file-search'])
  })

  test('writes strict tools where the model supports them', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } }
    const tools: Tool[] = [{ ...lookup, kind: 'function', schema, isStrict: true }]
    expect(write({ tools }).body['tools']).toEqual([
      {
        name: 'f',
        input_schema: {
          type: 'object',
          properties: { n: { type: 'integer', description: '{minimum: 1}' } },
          additionalProperties: false,
        },
        strict: true,
      },
    ])
    expect(write({ tools, model: 'claude-3-5-sonnet-20241022' }).body['tools']).toEqual([
      { name: 'f', input_schema: schema },
    ])
  })
})
