import { describe, expect, test } from 'bun:test'

import { inBody } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import type { JsonObject } from '../../core/json'
import { openAiResponses as dialect } from './dialect'

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

function refusal(body: JsonObject): unknown {
  try {
    dialect.readRequest(body, inBody)
    return null
  } catch (error) {
    return error instanceof DialectError ? [error.param, error.code] : error
  }
}

describe('a request', () => {
  const body = { model: 'gpt-5.1', input: 'hi' }

  test('a request of Responses is viewed with what it asks for', () => {
    expect(dialect.readRequest({ ...body, stream: true, max_output_tokens: 64 }, inBody)).toEqual({
      model: 'gpt-5.1',
      isStream: true,
      includeUsage: true,
      maxOutputTokens: 64,
      choices: 1,
    })
    expect(dialect.readRequest({ input: [{ role: 'user' }] }, { model: 'm', isStream: false }).model).toBe('m')
  })

  test.each<[JsonObject, string, string]>([
    [{ model: undefined }, 'model', 'missing_required_parameter'],
    [{ input: undefined }, 'input', 'missing_required_parameter'],
    [{ input: 5 }, 'input', 'invalid_type'],
    [{ input: [] }, 'input', 'empty_array'],
    [{ input: [{}, 'hi'] }, 'input[1]', 'invalid_type'],
    [{ input: null, previous_response_id: 5 }, 'previous_response_id', 'invalid_type'],
    [{ stream: 'yes' }, 'stream', 'invalid_type'],
    [{ max_output_tokens: 0 }, 'max_output_tokens', 'integer_below_min_value'],
    [{ background: 'yes' }, 'background', 'invalid_type'],
  ])('a request with %j is refused', (change, param, code) => {
    expect(refusal({ ...body, ...change })).toEqual([param, code])
  })

  test.each([{ previous_response_id: 'resp_1' }, { conversation: 'conv_1' }, { prompt: { id: 'pmpt_1' } }])(
    'that builds on %j needs no input',
    (reference) => {
      expect(refusal({ model: 'm', ...reference })).toBeNull()
    },
  )
})

test('a prompt is everything that the model reads', () => {
  const shape = dialect.readPrompt({
    instructions: 'Be brief.',
    input: [
      { role: 'user', content: 'easy' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'look' },
          { type: 'input_image', image_url: 'https://a.example/a.png', detail: 'low' },
          { type: 'input_image', file_id: 'file_1' },
          { type: 'input_file', file_id: 'file_2' },
          { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
        ],
      },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'gAAAA' },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c', output: 'ice' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'snow' }] },
      { type: 'custom_tool_call', call_id: 'd', name: 'g', input: 'ls' },
      { type: 'image_generation_call', id: 'ig_1', result: 'AAAA' },
    ],
    prompt: { id: 'p', variables: { city: 'Turku', note: { type: 'input_text', text: 'north' } } },
    tools: [{ type: 'function', name: 'f' }],
    text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' } } },
  })
  expect(shape).toEqual({
    texts: ['Be brief.', 'easy', 'look', 'hm', 'f', '{"a":1}', 'ice', 'snow', 'g', 'ls', 'Turku', 'north'],
    messages: 2,
    names: 0,
    tools: [{ type: 'function', name: 'f' }, { type: 'object' }],
    lowDetailImages: 1,
    images: 2,
    audios: 1,
    files: 1,
    tokenIds: 0,
  })
  expect(dialect.readPrompt({ input: 'hi' })).toMatchObject({ texts: ['hi'], messages: 1 })
})

test("the operator's instructions take the place of missing ones, or stand before others", () => {
  const add = dialect.withSystemPrompt ?? ((body: JsonObject) => body)
  const bare = { input: 'hi' }
  expect(add(bare, 'Be kind.', false)).toEqual({ input: 'hi', instructions: 'Be kind.' })
  expect(add(bare, '', true)).toBe(bare)
  const own = { input: 'hi', instructions: 'Be brief.' }
  expect(add(own, 'Be kind.', false)).toBe(own)
  expect(add(own, 'Be kind.', true)).toEqual({ input: 'hi', instructions: 'Be kind.\nBe brief.' })
  const inside = { input: [{ role: 'developer', content: 'Be brief.' }] }
  expect(add(inside, 'Be kind.', false)).toBe(inside)
  expect(add(inside, 'Be kind.', true)).toEqual({ ...inside, instructions: 'Be kind.' })
})

test("errors have OpenAI's shape, and one of their own in streams", () => {
  const error = { message: 'No.', type: 'server_error', code: 'upstream_failed', param: 'input' }
  expect(dialect.errorBody(error)).toEqual({ error })
  expect(decode(dialect.errorEvent(error))).toBe(
    'event: error\ndata: {"type":"error","code":"upstream_failed","message":"No.","param":"input","sequence_number":0}\n\n',
  )
  expect(dialect.readError(400, JSON.stringify({ error }))).toEqual(error)
})
