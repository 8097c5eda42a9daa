import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { inBody } from '../../../core/views'
import { DialectError } from '../../../core/dialect-error'
import type { JsonObject } from '../../../core/json'
import { anAnswering } from '../../../core/neutral/test/fixtures'
import { translationOf } from '../../../translation/translation'
import { openAiResponsesCodec as codec } from '../codec'

const read = (body: JsonObject) => codec.readCall({ model: 'm', input: 'hi', ...body }, inBody)
const messagesOf = (input: readonly JsonObject[]) => read({ input }).messages

function refusal(body: JsonObject): unknown {
  try {
    read(body)
    return null
  } catch (error) {
    return error instanceof DialectError ? error.param : error
  }
}

describe('the input', () => {
  test('a text input is a user message below the instructions', () => {
    expect(read({ instructions: 'Be brief.' }).messages).toEqual([
      { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    ])
  })

  test('holds pictures, files and sounds', () => {
    const content = [
      { type: 'input_text', text: 'look' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'low' },
      { type: 'input_image', image_url: 'https://a.example/a.png', detail: 'auto' },
      { type: 'input_image', file_id: 'file_1' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' },
      { type: 'input_file', file_url: 'https://a.example/a.pdf' },
      { type: 'input_file', file_id: 'file_2' },
      { type: 'input_audio', input_audio: { data: 'AA', format: 'mp3' } },
      { type: 'input_new', value: 1 },
    ]
    expect(
      messagesOf([
        { role: 'developer', content: 'Look.' },
        { type: 'message', role: 'user', content },
      ]),
    ).toEqual([
      { role: 'developer', parts: [{ kind: 'text', text: 'Look.' }] },
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'look' },
          { kind: 'image', source: { kind: 'data', data: 'AA', mime: 'image/png' }, detail: 'low' },
          { kind: 'image', source: { kind: 'url', url: 'https://a.example/a.png' } },
          { kind: 'image', source: { kind: 'id', id: 'file_1' } },
          { kind: 'file', source: { kind: 'data', data: 'AA', mime: 'application/pdf' }, name: 'a.pdf' },
          { kind: 'file', source: { kind: 'url', url: 'https://a.example/a.pdf' } },
          { kind: 'file', source: { kind: 'id', id: 'file_2' } },
          { kind: 'audio', source: { kind: 'data', data: 'AA', mime: 'audio/mp3' } },
          { kind: 'own', dialect: 'openai-responses', value: { type: 'input_new', value: 1 } },
        ],
      },
    ])
  })

  test('a turn with tools is one message of the model and one of results', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' }
    expect(
      messagesOf([
        { role: 'user', content: 'hi' },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'gAAAA' },
        search,
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [
            {
              type: 'output_text',
              text: 'See: ',
              annotations: [
                { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 3 },
              ],
            },
            { type: 'refusal', refusal: 'No.' },
          ],
        },
        { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}', status: 'completed' },
        { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'sh', input: 'ls' },
        { type: 'function_call_output', call_id: 'call_1', output: 'ice' },
        {
          type: 'custom_tool_call_output',
          call_id: 'call_2',
          output: [
            { type: 'input_text', text: 'a' },
            { type: 'input_image', image_url: 'https://a.example/b' },
          ],
        },
        { role: 'user', content: 'go on' },
      ]),
    ).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        parts: [
          { kind: 'thinking', text: 'hm', signature: 'gAAAA', isSummary: true, id: 'rs_1' },
          { kind: 'own', value: search },
          { kind: 'text', text: 'See: ', citations: [{ url: 'https://a.example', title: 'A', start: 0, end: 3 }] },
          { kind: 'refusal', text: 'No.' },
          { kind: 'tool-call', id: 'call_1', name: 'f', argumentsText: '{"a":1}', itemId: 'fc_1' },
          { kind: 'tool-call', id: 'call_2', name: 'sh', argumentsText: '{"input":"ls"}' },
        ],
      },
      {
        role: 'user',
        parts: [
          { kind: 'tool-result', callId: 'call_1', name: 'f', parts: [{ kind: 'text', text: 'ice' }] },
          { kind: 'tool-result', callId: 'call_2', name: 'sh', parts: [{ kind: 'text' }, { kind: 'image' }] },
        ],
      },
      { role: 'user', parts: [{ kind: 'text', text: 'go on' }] },
    ])
  })

  test.each<[string, JsonObject, JsonObject | undefined]>([
    ['only signed', { summary: [], encrypted_content: 'c2ln' }, { text: '', signature: 'c2ln', isRedacted: true }],
    [
      'without words',
      { summary: [{ type: 'summary_text', text: '' }], encrypted_content: 'c2ln' },
      { kind: 'thinking', text: '', signature: 'c2ln', isSummary: true },
    ],
    ['raw', { summary: [], content: [{ type: 'reasoning_text', text: 'a' }] }, { kind: 'thinking', text: 'a' }],
    ['in sections', { summary: [{ text: 'a' }, { text: 'b' }] }, { text: 'a\n\nb' }],
    ['empty', { summary: [] }, undefined],
  ])('the item of a thought that is %s is read', (_, item, expected) => {
    const [part] = messagesOf([{ type: 'reasoning', ...item }])[0]?.parts ?? []
    if (expected === undefined) expect(part).toBeUndefined()
    else expect(part).toMatchObject(expected)
  })

  test.each<[JsonObject, string]>([
    [
      {
        input: [
          { role: 'user', content: 'a' },
          { type: 'item_reference', id: 'msg_1' },
        ],
      },
      'input[1]',
    ],
    [{ input: [{ id: 'msg_1' }] }, 'input[0]'],
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: { id: 'conv_1' } }, 'conversation'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
  ])('what others do not know is refused: %j', (change, param) => {
    expect(refusal(change)).toBe(param)
  })

  test('a reference to nothing stored is accepted', () => {
    expect(refusal({ previous_response_id: null, conversation: null, prompt: null, background: false })).toBeNull()
  })
})

describe('tools', () => {
  test('tools are functions, free text as a function of one text, and the vendor’s own', () => {
    const { tools } = read({
      tools: [
        { type: 'function', name: 'f', description: 'Does.', parameters: { type: 'object' }, strict: true },
        {
          type: 'custom',
          name: 'sh',
          description: 'Runs.',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
        },
        { type: 'web_search_preview_2025_03_11', search_context_size: 'low' },
        { type: 'file_search', vector_store_ids: ['vs_1'] },
        { type: 'code_interpreter', container: { type: 'auto' } },
        { type: 'image_generation' },
        { type: 'mcp', server_label: 'a' },
      ],
    })
    expect(tools.map((tool) => (tool.kind === 'built-in' ? tool.tool : tool.name))).toEqual([
      'f',
      'sh',
      'web-search',
      'file-search',
      'code-execution',
      'image-generation',
      'other',
    ])
    expect(tools[0]).toMatchObject({ description: 'Does.', schema: { type: 'object' }, isStrict: true })
    expect(tools[1]).toMatchObject({
      kind: 'function',
      description: 'Runs.\n\nThe input must match this lark grammar:\nstart: "a"',
      schema: { required: ['input'] },
    })
    expect(tools[2]).toMatchObject({ own: { dialect: 'openai-responses', value: { search_context_size: 'low' } } })
  })

  test.each<[unknown, unknown]>([
    ['auto', { kind: 'auto' }],
    ['none', { kind: 'none' }],
    ['required', { kind: 'required' }],
    [
      { type: 'function', name: 'f' },
      { kind: 'tool', name: 'f' },
    ],
    [
      { type: 'custom', name: 'sh' },
      { kind: 'tool', name: 'sh' },
    ],
    [{ type: 'web_search_preview' }, { kind: 'tool', name: 'web_search' }],
    [{ type: 'code_interpreter' }, { kind: 'tool', name: 'code_execution' }],
    [{ type: 'mcp', server_label: 'a' }, null],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }, { type: 'mcp' }] },
      { kind: 'required', among: ['f'] },
    ],
    [{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] }, { kind: 'auto' }],
    [undefined, null],
  ])('the choice %j is %j', (tool_choice, expected) => {
    expect(read({ tool_choice }).toolChoice).toEqual(expected as never)
  })
})

test('everything else has its place', () => {
  const call = read({
    stream: true,
    parallel_tool_calls: false,
    text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true }, verbosity: 'low' },
    reasoning: { effort: 'high', summary: 'detailed' },
    include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
    max_output_tokens: 99,
    temperature: 0.5,
    top_p: 0.9,
    top_logprobs: 3,
    truncation: 'auto',
    metadata: { a: 'b' },
    safety_identifier: 'me',
    user: 'other',
    service_tier: 'flex',
    store: true,
    prompt_cache_key: 'k',
    max_tool_calls: null,
  })
  expect(call).toMatchObject({
    isStream: true,
    parallelTools: false,
    output: { kind: 'schema', name: 'x', description: '', schema: { type: 'object' }, isStrict: true },
    thinking: { isEnabled: true, effort: 'high', budgetTokens: null, isShown: true, summary: 'detailed' },
    sampling: { maxTokens: 99, temperature: 0.5, topP: 0.9, hasLogProbabilities: true, topLogProbabilities: 3 },
    metadata: { a: 'b' },
    user: 'me',
    serviceTier: 'flex',
  })
  expect(Object.keys(call.own?.members ?? {})).toEqual(['text', 'truncation', 'prompt_cache_key'])
})

test.each<[JsonObject, unknown]>([
  [{ effort: 'none' }, { isEnabled: false, effort: 'none' }],
  [{ effort: 'max' }, { effort: 'max', isShown: null }],
  [{ summary: 'auto' }, { isEnabled: true, effort: null, isShown: true, summary: 'auto' }],
  [{ effort: null, summary: null }, null],
])('the reasoning %j is understood', (reasoning, expected) => {
  if (expected === null) expect(read({ reasoning }).thinking).toBeNull()
  else expect(read({ reasoning }).thinking).toMatchObject(expected as object)
})

test('the older JSON format is understood', () => {
  expect(read({ text: { format: { type: 'json_object' } } }).output).toEqual({ kind: 'json' })
  expect(read({ text: { format: { type: 'text' } } }).output).toBeNull()
})

const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('message', 'reasoning', 'function_call', 'input_image', 'custom', 'data:,', 'user', 0, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('type', 'role', 'content', 'summary', 'text', 'output', 'call_id', 'name', 'image_url', 'format'),
      tie('value'),
      { maxKeys: 5 },
    ),
  ),
})).value

test('nothing that a client sends throws anything but a refusal, or cannot be written again', () => {
  const members = ['input', 'tools', 'tool_choice', 'text', 'reasoning', 'include', 'metadata', 'instructions']
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...members), anyJson, { maxKeys: 8 }), (body) => {
      try {
        codec.writeCall(read(body), () => undefined)
      } catch (error) {
        expect(error).toBeInstanceOf(DialectError)
      }
    }),
    { numRuns: 2000 },
  )
})

test('penalties reach vendors that have them, and the response repeats them', () => {
  const body = { model: 'm', input: 'hi', presence_penalty: 0.5, frequency_penalty: 0.25 }
  const translateTo = (upstream: 'openai-chat' | 'gemini') =>
    translationOf('openai-responses', upstream)?.(body, inBody, 'm')
  expect(translateTo('openai-chat')?.body).toMatchObject({ presence_penalty: 0.5, frequency_penalty: 0.25 })
  expect(translateTo('gemini')?.body).toMatchObject({
    generationConfig: { presencePenalty: 0.5, frequencyPenalty: 0.25 },
  })
  const call = codec.readCall(body, inBody)
  const response = (change: object) => codec.writeAnswer([], { ...anAnswering(), ...change })
  expect(response({ call })).toMatchObject({ presence_penalty: 0.5, frequency_penalty: 0.25 })
  expect(response({})).toMatchObject({ presence_penalty: 0, frequency_penalty: 0 })
})
