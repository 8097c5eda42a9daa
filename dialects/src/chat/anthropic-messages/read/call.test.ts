import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '../../../core/json'
import { anthropicMessagesCodec as codec } from '../codec'

const pathContext = { model: '', isStream: false }
const read = (change: JsonObject) =>
  codec.readCall(
    { model: 'claude-x', max_tokens: 64, messages: [{ role: 'user', content: 'hi' }], ...change },
    pathContext,
  )
const partsOf = (content: unknown, role = 'user') => read({ messages: [{ role, content }] }).messages[0]?.parts

describe('a request is read', () => {
  test('reads the plain members', () => {
    const call = read({
      system: 'Be brief.',
      stream: true,
      temperature: 0,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ['END'],
      metadata: { user_id: 'u-1' },
      service_tier: 'standard_only',
      mcp_servers: [{ type: 'url' }],
    })
    expect(call).toMatchObject({
      model: 'claude-x',
      isStream: true,
      messages: [
        { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
      ],
      sampling: { maxTokens: 64, temperature: 0, topP: 0.9, topK: 5, stop: ['END'], choices: 1 },
      user: 'u-1',
      serviceTier: 'default',
      own: { dialect: 'anthropic-messages', members: { mcp_servers: [{ type: 'url' }] } },
    })
    expect(Object.keys(call.own?.members ?? {})).toEqual(['mcp_servers'])
  })

  test('reads cache marks wherever they are', () => {
    const cache_control = { type: 'ephemeral' }
    const hour = { type: 'ephemeral', ttl: '1h' }
    const call = read({
      system: [{ type: 'text', text: 'Be brief.', cache_control: hour }],
      tools: [{ name: 'f', input_schema: { type: 'object' }, cache_control }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a', cache_control },
            { type: 'image', source: { type: 'url', url: 'https://a.example/a.png' }, cache_control },
            { type: 'document', source: { type: 'url', url: 'https://a.example/a.pdf' }, cache_control: hour },
            { type: 'tool_result', tool_use_id: 't', cache_control },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {}, cache_control }] },
      ],
    })
    const marks = call.messages.flatMap(({ parts }) => parts.map((part) => ('cache' in part ? part.cache : null)))
    expect(marks).toEqual(['1h', '5m', '5m', '1h', '5m', '5m'])
    expect(call.tools).toMatchObject([{ cache: '5m' }])
  })

  test('reads images and documents of every source', () => {
    expect(
      partsOf([
        { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'AA==' } },
        { type: 'image', source: { type: 'file', file_id: 'file_1' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' }, title: 'T' },
        { type: 'document', source: { type: 'url', url: 'https://a.example/a.pdf' }, citations: { enabled: true } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'höhe' }, context: 'C' },
        { type: 'document', source: { type: 'file', file_id: 'file_2' } },
        {
          type: 'document',
          source: {
            type: 'content',
            content: [
              { type: 'text', text: 'one' },
              { type: 'text', text: 'two' },
            ],
          },
        },
        { type: 'search_result', source: 'https://s', title: 'S', content: [{ type: 'text', text: 'found' }] },
      ]),
    ).toEqual([
      { kind: 'image', source: { kind: 'data', mime: 'image/webp', data: 'AA==' } },
      { kind: 'image', source: { kind: 'id', id: 'file_1' } },
      { kind: 'file', source: { kind: 'data', mime: 'application/pdf', data: 'AA==' }, name: 'T' },
      {
        kind: 'file',
        source: { kind: 'url', url: 'https://a.example/a.pdf', mime: 'application/pdf' },
        citations: true,
      },
      {
        kind: 'file',
        source: { kind: 'data', mime: 'text/plain', data: Buffer.from('höhe').toString('base64') },
        context: 'C',
      },
      { kind: 'file', source: { kind: 'id', id: 'file_2' } },
      { kind: 'file', source: { kind: 'data', mime: 'text/plain', data: btoa('one\ntwo') } },
      { kind: 'text', text: 'S\nhttps://s\nfound' },
    ])
  })

  test('reads thoughts, calls, results and vendor-specific blocks', () => {
    const server = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }
    const [answer, results] = read({
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
            { type: 'redacted_thinking', data: 'cmVk' },
            server,
            { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
            { type: 'tool_use', name: 'g' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', is_error: true, content: 'no' },
            { type: 'tool_result', tool_use_id: 't2' },
            {
              type: 'tool_result',
              tool_use_id: 't3',
              content: [
                { type: 'text', text: 'see' },
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
              ],
            },
          ],
        },
      ],
    }).messages
    expect(answer?.parts).toEqual([
      { kind: 'thinking', text: 'hm', signature: 'c2ln' },
      { kind: 'thinking', text: '', signature: 'cmVk', isRedacted: true },
      { kind: 'own', dialect: 'anthropic-messages', value: server },
      { kind: 'tool-call', id: 't1', name: 'f', argumentsText: '{"a":1}' },
      { kind: 'tool-call', id: 'toolu_0_4', name: 'g', argumentsText: '{}' },
    ])
    expect(results?.parts).toEqual([
      { kind: 'tool-result', callId: 't1', name: 'f', isError: true, parts: [{ kind: 'text', text: 'no' }] },
      { kind: 'tool-result', callId: 't2', name: '', isError: false, parts: [] },
      {
        kind: 'tool-result',
        callId: 't3',
        name: '',
        isError: false,
        parts: [
          { kind: 'text', text: 'see' },
          { kind: 'image', source: { kind: 'data', mime: 'image/png', data: 'AA==' } },
        ],
      },
    ])
  })

  test.each([
    [{}, null, null],
    [{ type: 'auto' }, { kind: 'auto' }, null],
    [{ type: 'any', disable_parallel_tool_use: true }, { kind: 'required' }, false],
    [{ type: 'tool', name: 'f', disable_parallel_tool_use: false }, { kind: 'tool', name: 'f' }, true],
    [{ type: 'none' }, { kind: 'none' }, null],
  ] as const)('the tool choice %j is read', (tool_choice, toolChoice, parallelTools) => {
    expect(read({ tool_choice })).toMatchObject({ toolChoice, parallelTools })
  })

  test('reads tools, including the vendor’s own', () => {
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 }
    const tools = [
      { name: 'f', description: 'd', input_schema: { type: 'object' }, strict: true },
      { type: 'custom', name: 'g', input_schema: {} },
      search,
      { type: 'web_fetch_20250910', name: 'web_fetch' },
      { type: 'code_execution_20250825', name: 'code_execution' },
      { type: 'bash_20250124', name: 'bash' },
    ]
    expect(read({ tools }).tools).toMatchObject([
      { kind: 'function', name: 'f', description: 'd', schema: { type: 'object' }, isStrict: true },
      { kind: 'function', name: 'g', isStrict: null },
      { kind: 'built-in', tool: 'web-search', own: { dialect: 'anthropic-messages', value: search } },
      { kind: 'built-in', tool: 'web-fetch' },
      { kind: 'built-in', tool: 'code-execution' },
      { kind: 'function', name: 'bash', origin: { type: 'bash_20250124' } },
    ])
  })

  test.each([
    [{}, null],
    [{ thinking: { type: 'disabled' } }, { isEnabled: false, effort: null, budgetTokens: null }],
    [{ thinking: { type: 'between_tools' } }, { isEnabled: false, effort: null, budgetTokens: null }],
    [{ thinking: { type: 'enabled', budget_tokens: 2000 } }, { isEnabled: true, effort: null, budgetTokens: 2000 }],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, { isEnabled: true, budgetTokens: -1, isShown: false }],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
      { effort: 'max', budgetTokens: null },
    ],
    [{ output_config: { effort: 'low' } }, { isEnabled: true, effort: 'low' }],
  ] as const)('the thinking of %j is read', (members, thinking) => {
    const call = read(members)
    if (thinking === null) expect(call.thinking).toBeNull()
    else expect(call.thinking).toMatchObject(thinking)
  })

  test('reads the output format from its current and its former place', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } }
    const output = { kind: 'schema', schema: { type: 'object' }, isStrict: true }
    expect(read({ output_config: { format } }).output).toMatchObject(output)
    expect(read({ output_format: format }).output).toMatchObject(output)
  })
})
