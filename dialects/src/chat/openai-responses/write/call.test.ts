import { describe, expect, test } from 'bun:test'

import { openAiChatCodec } from '../../openai-chat/codec'
import * as fc from 'fast-check'

import { inBody } from '../../../core/views'
import type { JsonObject } from '../../../core/json'
import type { Message, NeutralCall, Part } from '../../../core/neutral/call'
import { aCall, noSampling } from '../../../core/neutral/test/fixtures'
import { openAiResponsesCodec as codec } from '../codec'

function write(change: Partial<NeutralCall>) {
  const warnings: string[] = []
  const body = codec.writeCall(aCall({ model: 'gpt-5.1', ...change }), (what) => warnings.push(what))
  return { body, warnings }
}
const inputOf = (messages: readonly Message[], model = 'gpt-5.1') => write({ messages, model }).body['input']
const createTextPart = (text: string): Part => ({ kind: 'text', text })

describe('a request', () => {
  test('keeps nothing at the vendor and asks for what proves the thoughts', () => {
    expect(write({}).body).toEqual({
      model: 'gpt-5.1',
      input: [{ type: 'message', role: 'user', content: 'hi' }],
      include: ['reasoning.encrypted_content'],
      store: false,
    })
    expect(write({ model: 'gpt-4o' }).body['include']).toBeUndefined()
  })

  test('a call is written with all that Responses can express', () => {
    const { body, warnings } = write({
      isStream: true,
      messages: [
        { role: 'system', parts: [createTextPart('Be brief.'), createTextPart('Be kind.')] },
        { role: 'user', parts: [createTextPart('hi')] },
      ],
      tools: [
        { kind: 'function', name: 'f', description: 'Does.', schema: { type: 'object' }, isStrict: true },
        { kind: 'function', name: 'g', description: '', schema: {}, isStrict: null },
      ],
      toolChoice: { kind: 'tool', name: 'g' },
      parallelTools: false,
      output: { kind: 'schema', name: '', description: '', schema: { type: 'object' }, isStrict: true },
      thinking: { isEnabled: true, effort: 'low', budgetTokens: null, isShown: null, summary: null },
      sampling: {
        ...noSampling,
        maxTokens: 99,
        temperature: 0.5,
        topP: 0.9,
        hasLogProbabilities: true,
        topLogProbabilities: 2,
      },
      metadata: { a: 'b' },
      user: 'me',
      serviceTier: 'flex',
      own: { dialect: 'openai-chat', members: { prompt_cache_key: 'k', verbosity: 'low', store: true } },
    })
    expect(body).toEqual({
      prompt_cache_key: 'k',
      model: 'gpt-5.1',
      instructions: 'Be brief.\n\nBe kind.',
      input: [{ type: 'message', role: 'user', content: 'hi' }],
      tools: [
        {
          type: 'function',
          name: 'f',
          description: 'Does.',
          parameters: { type: 'object', properties: {} },
          strict: true,
        },
        { type: 'function', name: 'g', parameters: { type: 'object', properties: {} }, strict: false },
      ],
      tool_choice: { type: 'function', name: 'g' },
      parallel_tool_calls: false,
      text: {
        format: { type: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: true },
        verbosity: 'low',
      },
      reasoning: { effort: 'low' },
      include: ['reasoning.encrypted_content', 'message.output_text.logprobs'],
      max_output_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      top_logprobs: 2,
      metadata: { a: 'b' },
      safety_identifier: 'me',
      service_tier: 'flex',
      store: false,
      stream: true,
    })
    expect(warnings).toEqual([])
  })

  test('a call warns of what Responses cannot express', () => {
    const { body, warnings } = write({
      messages: [
        {
          role: 'user',
          name: 'Ann',
          parts: [createTextPart('hi'), { kind: 'video', source: { kind: 'id', id: 'v' } }],
        },
      ],
      tools: [{ kind: 'built-in', tool: 'web-fetch', own: { dialect: 'anthropic-messages', value: {} } }],
      toolChoice: { kind: 'required' },
      sampling: { ...noSampling, maxTokens: 5, topK: 1, seed: 2, stop: ['END'], presencePenalty: 1, choices: 2 },
      modalities: ['audio'],
      own: { dialect: 'openai-chat', members: { logit_bias: {} } },
    })
    expect(body).toMatchObject({ max_output_tokens: 16 })
    expect(body).not.toHaveProperty('tool_choice')
    expect(warnings).toEqual([
      'the name of a speaker',
      'video content of the user',
      'the built-in tool web-fetch',
      'top_k',
      'seed',
      'presence_penalty',
      'stop sequences',
      'several choices',
      'answers in other than text',
      'fewer than 16 tokens',
    ])
    expect(write({ model: 'other', sampling: { ...noSampling, maxTokens: 5 } }).body['max_output_tokens']).toBe(5)
  })

  test.each<[Partial<NonNullable<NeutralCall['thinking']>>, unknown]>([
    [
      { effort: 'high', summary: 'concise' },
      { effort: 'high', summary: 'concise' },
    ],
    [{ budgetTokens: 9000 }, { effort: 'high', summary: 'auto' }],
    [{ budgetTokens: 9000, isShown: false }, { effort: 'high' }],
    [{ isEnabled: false }, { effort: 'none' }],
  ])('a request for the thinking %j asks for the reasoning %j', (change, expected) => {
    const requested = { isEnabled: true, effort: null, budgetTokens: null, isShown: null, summary: null }
    expect(write({ thinking: { ...requested, ...change } }).body['reasoning']).toEqual(expected as never)
  })

  test('only instructs in its input when there is nothing else', () => {
    expect(inputOf([{ role: 'system', parts: [createTextPart('Be brief.')] }])).toEqual([
      { type: 'message', role: 'system', content: 'Be brief.' },
    ])
    expect(
      inputOf([
        { role: 'user', parts: [createTextPart('hi')] },
        { role: 'developer', parts: [createTextPart('Be brief.')] },
      ]),
    ).toMatchObject([{ role: 'user' }, { role: 'developer', content: 'Be brief.' }])
  })
})

describe('items', () => {
  const answer: Message = {
    role: 'assistant',
    parts: [
      { kind: 'thinking', text: 'hm', signature: 'gAAAAsig', isSummary: true, id: 'rs_1' },
      { kind: 'thinking', text: '', signature: 'gAAAAred', isRedacted: true },
      createTextPart('See: '),
      { kind: 'text', text: 'here', citations: [{ url: 'https://a.example' }] },
      { kind: 'tool-call', id: 'call_1', name: 'f', argumentsText: '', itemId: 'toolu_1' },
      { kind: 'tool-call', id: 'x'.repeat(70), name: 'sh', argumentsText: 'ls', isCustom: true },
      { kind: 'own', dialect: 'openai-responses', value: { type: 'web_search_call', id: 'ws_1' } },
    ],
  }
  const results: Message = {
    role: 'user',
    parts: [
      { kind: 'tool-result', callId: 'call_1', name: 'f', parts: [], isError: true },
      {
        kind: 'tool-result',
        callId: 'x'.repeat(70),
        name: 'sh',
        parts: [createTextPart('a') as never, { kind: 'image', source: { kind: 'url', url: 'https://a.example/b' } }],
        isError: false,
      },
      createTextPart('and?'),
    ],
  }

  test('keep the order of what was thought, said, called and answered', () => {
    const input = inputOf([answer, results]) as JsonObject[]
    const longId = input[4]?.['call_id']
    expect(String(longId).length).toBeLessThanOrEqual(64)
    expect(input).toEqual([
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'gAAAAsig',
      },
      { type: 'reasoning', summary: [], encrypted_content: 'gAAAAred' },
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'See: ' },
          {
            type: 'output_text',
            text: 'here',
            annotations: [
              {
                type: 'url_citation',
                start_index: 0,
                end_index: 4,
                url: 'https://a.example',
                title: 'https://a.example',
              },
            ],
          },
        ],
      },
      { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
      { type: 'custom_tool_call', call_id: longId, name: 'sh', input: 'ls' },
      { type: 'web_search_call', id: 'ws_1' },
      { type: 'function_call_output', call_id: 'call_1', output: 'The tool failed.' },
      {
        type: 'custom_tool_call_output',
        call_id: longId,
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'https://a.example/b', detail: 'auto' },
        ],
      },
      { type: 'message', role: 'user', content: 'and?' },
    ])
  })

  test('signatures the vendor cannot accept are left out', () => {
    const messages: Message[] = [
      { role: 'user', parts: [createTextPart('hi')] },
      {
        role: 'assistant',
        parts: [
          { kind: 'thinking', text: 'a', signature: 'c2ln' },
          { kind: 'thinking', text: 'b' },
        ],
      },
      { role: 'user', parts: [createTextPart('so?')] },
    ]
    const { body, warnings } = write({ messages })
    expect(body['input']).toHaveLength(2)
    expect(warnings).toEqual(['thinking that another vendor signed', 'thinking without a signature'])
    expect(inputOf(messages, 'gpt-oss-20b')).toMatchObject([
      {},
      { type: 'reasoning', summary: [{ text: 'a' }], encrypted_content: 'c2ln' },
      { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'b' }] },
      {},
    ])
  })

  test('a thought keeps no id of another vendor', () => {
    const thought: Part = { kind: 'thinking', text: 'a', signature: 'gAAAAsig', isSummary: true, id: 'thought_1' }
    expect(inputOf([{ role: 'assistant', parts: [thought] }])).toEqual([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }], encrypted_content: 'gAAAAsig' },
    ])
  })

  test('pictures, files and sounds of the model are left out and named', () => {
    const source = { kind: 'data', data: 'AA', mime: 'image/png' } as const
    const parts: Part[] = [
      createTextPart('so'),
      { kind: 'image', source },
      { kind: 'file', source },
      { kind: 'audio', source },
    ]
    const { body, warnings } = write({ messages: [{ role: 'assistant', parts }] })
    expect(body['input']).toMatchObject([{ role: 'assistant', content: 'so' }])
    expect(warnings).toEqual(['image', 'file', 'audio'].map((kind) => `${kind} content of the assistant`))
  })

  test('show pictures, files and sounds', () => {
    const parts: Part[] = [
      { kind: 'image', source: { kind: 'data', data: 'AA', mime: 'image/webp' }, detail: 'high' },
      { kind: 'image', source: { kind: 'id', id: 'file_1' } },
      { kind: 'file', source: { kind: 'data', data: 'AA', mime: 'application/pdf' }, context: 'Read it.' },
      { kind: 'file', source: { kind: 'url', url: 'https://a.example/a.pdf' } },
      { kind: 'file', source: { kind: 'data', data: 'aGk=', mime: 'text/plain' }, name: 'a.txt' },
      { kind: 'audio', source: { kind: 'data', data: 'AA', mime: 'audio/mpeg' } },
    ]
    expect(inputOf([{ role: 'user', parts }])).toEqual([
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'data:image/webp;base64,AA', detail: 'high' },
          { type: 'input_image', file_id: 'file_1', detail: 'auto' },
          { type: 'input_text', text: 'Read it.' },
          { type: 'input_file', filename: 'file.pdf', file_data: 'data:application/pdf;base64,AA' },
          { type: 'input_file', file_url: 'https://a.example/a.pdf' },
          { type: 'input_text', text: 'a.txt\nhi' },
          { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
        ],
      },
    ])
  })
})

describe('tools of other dialects', () => {
  const builtIn = (tool: 'web-search' | 'code-execution', dialect: string, value: JsonObject) =>
    ({ kind: 'built-in', tool, own: { dialect, value } }) as const

  const custom = {
    type: 'custom',
    custom: { name: 'sh', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'a' } } },
  }

  test('options are written in the words of this dialect', () => {
    const { body } = write({
      tools: [
        builtIn('web-search', 'anthropic-messages', {
          max_uses: 3,
          allowed_domains: ['a.example'],
          user_location: { type: 'approximate', city: 'Turku' },
        }),
        builtIn('web-search', 'openai-chat', {
          search_context_size: 'high',
          user_location: { type: 'approximate', approximate: { country: 'FI' } },
        }),
        builtIn('code-execution', 'anthropic-messages', {}),
        ...openAiChatCodec.readCall({ model: 'm', messages: [{ role: 'user' }], tools: [custom] }, inBody).tools,
      ],
      toolChoice: { kind: 'tool', name: 'web_search' },
    })
    expect(body['tools']).toEqual([
      {
        type: 'web_search',
        search_context_size: 'medium',
        user_location: { type: 'approximate', city: 'Turku' },
        filters: { allowed_domains: ['a.example'] },
      },
      { type: 'web_search', search_context_size: 'high', user_location: { type: 'approximate', country: 'FI' } },
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'custom', name: 'sh', format: { type: 'grammar', syntax: 'lark', definition: 'a' } },
    ])
    expect(body['tool_choice']).toEqual({ type: 'allowed_tools', mode: 'required', tools: [{ type: 'web_search' }] })
  })

  test('tools are chosen among a list', () => {
    const tools = ['f', 'g', 'h'].map(
      (name) => ({ kind: 'function', name, description: '', schema: {}, isStrict: null }) as const,
    )
    expect(write({ tools, toolChoice: { kind: 'required', among: ['f', 'h', 'x'] } })).toMatchObject({
      body: {
        tool_choice: {
          type: 'allowed_tools',
          mode: 'required',
          tools: [
            { type: 'function', name: 'f' },
            { type: 'function', name: 'h' },
          ],
        },
      },
      warnings: ['the choice of the tool x'],
    })
  })
})

test("a request of this dialect's own comes back as it was", () => {
  const body = {
    model: 'gpt-5.1',
    instructions: 'Be brief.',
    input: [
      { type: 'message', role: 'user', content: 'hi' },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'sh', input: 'ls' },
      { type: 'custom_tool_call_output', call_id: 'call_1', output: 'a' },
    ],
    tools: [
      { type: 'custom', name: 'sh', description: 'Runs.' },
      { type: 'mcp', server_label: 'a' },
    ],
    tool_choice: { type: 'custom', name: 'sh' },
    text: { format: { type: 'json_object' }, verbosity: 'low' },
    reasoning: { effort: 'high', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    truncation: 'auto',
    store: false,
    stream: true,
  }
  expect(codec.writeCall(codec.readCall(body, inBody), () => undefined)).toEqual(body)
})

/** Conversations of any parts that this dialect can say. */
const text = fc.string({ unit: 'grapheme', minLength: 1 })
const word = fc.stringMatching(/^[\w-]{1,9}$/)
const anyPart = fc.oneof(
  text.map(createTextPart),
  text.map((refused): Part => ({ kind: 'refusal', text: refused })),
  fc.record({
    kind: fc.constant('thinking' as const),
    text,
    signature: text.map((signature) => `gAAAA${signature}`),
    isSummary: fc.constant(true),
  }),
  text.map((signature): Part => ({ kind: 'thinking', text: '', signature: `gAAAA${signature}`, isRedacted: true })),
  fc.record({ kind: fc.constant('tool-call' as const), id: word, name: word, argumentsText: text }),
)
const anyMessage = fc.oneof(
  fc.record({ role: fc.constant('assistant' as const), parts: fc.array(anyPart, { minLength: 1, maxLength: 5 }) }),
  fc.record({
    role: fc.constant('user' as const),
    parts: fc.array(text.map(createTextPart), { minLength: 1, maxLength: 3 }),
  }),
)
const alone = (part: Part): unknown => (part.kind === 'tool-call' ? { ...part, itemId: undefined } : part)
const partsOf = (messages: readonly Message[]) =>
  messages.flatMap(({ role, parts }) => parts.map((part) => ({ role, part: alone(part) })))

test('what is written reads back the same: texts, thoughts with their signatures, calls, and their order', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { minLength: 1, maxLength: 5 }), (messages) => {
      const read = codec.readCall(write({ messages }).body, inBody)
      expect(partsOf(read.messages)).toEqual(partsOf(messages))
    }),
    { numRuns: 300 },
  )
})
