import { describe, expect, test } from 'bun:test'

import { inBody } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { objectsOf } from '../../core/neutral/read'
import { plainOptions as options } from '../../translation/test/answers'
import { translationOf } from '../../translation/translation'
import { noUsage } from '../../core/usage'

/** What every response has, also where it says nothing. https://www.openresponses.org/specification */
const required = [
  'id',
  'object',
  'created_at',
  'completed_at',
  'status',
  'incomplete_details',
  'model',
  'previous_response_id',
  'instructions',
  'output',
  'error',
  'tools',
  'tool_choice',
  'truncation',
  'parallel_tool_calls',
  'text',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'top_logprobs',
  'temperature',
  'reasoning',
  'usage',
  'store',
  'max_output_tokens',
  'max_tool_calls',
  'background',
  'service_tier',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
]

const toolMembers = ['type', 'name', 'description', 'parameters', 'strict']

const message = (role: string, content: unknown, more: JsonObject = {}) => ({ type: 'message', role, content, ...more })
const question = message('user', 'Say hello')
const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' }
const weather = { type: 'function', name: 'weather', parameters: { type: 'object', properties: { city: {} } } }

/** What clients ask, and a text that must reach the upstream. */
const requests: readonly (readonly [string, JsonObject, RegExp])[] = [
  ['a question', { input: [question] }, /Say hello/],
  ['instructions', { input: [message('system', 'Talk like a pirate'), question] }, /Talk like a pirate/],
  ['a tool', { input: [question], tools: [weather] }, /"name":"weather"/],
  ['a picture', { input: [message('user', [{ type: 'input_text', text: 'What is it?' }, image])] }, /AAAA/],
  [
    'several turns',
    { input: [message('user', 'I am Ann'), message('assistant', 'Hello, Ann'), question] },
    /Hello, Ann/,
  ],
  [
    'turns of an assistant with their phases',
    {
      input: [
        message('assistant', 'I look it up.', { phase: 'commentary' }),
        message('assistant', 'It is four.', { phase: 'final_answer' }),
        question,
      ],
    },
    /I look it up\.[^]*It is four\./,
  ],
]

const call = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }

/** Texts and calls as each upstream says them, whole and in the events of a stream. */
const upstreams = {
  'openai-chat': {
    whole: { choices: [{ index: 0, message: { content: 'Hi', tool_calls: [call] }, finish_reason: 'tool_calls' }] },
    events: [
      { choices: [{ index: 0, delta: { content: 'Hi' } }] },
      { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: 'tool_calls' }] },
    ],
  },
  'anthropic-messages': {
    whole: {
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'tool_use', id: 'c', name: 'weather', input: { city: 'Ulm' } },
      ],
      stop_reason: 'tool_use',
    },
    events: [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'c', name: 'weather', input: { city: 'Ulm' } },
      },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ],
  },
  gemini: {
    whole: {
      candidates: [
        {
          content: { parts: [{ text: 'Hi' }, { functionCall: { id: 'c', name: 'weather', args: { city: 'Ulm' } } }] },
          finishReason: 'STOP',
        },
      ],
    },
    events: [
      { candidates: [{ content: { parts: [{ text: 'Hi' }] } }] },
      {
        candidates: [
          {
            content: { parts: [{ functionCall: { id: 'c', name: 'weather', args: { city: 'Ulm' } } }] },
            finishReason: 'STOP',
          },
        ],
      },
    ],
  },
} as const

const encoder = new TextEncoder()
const usage = { ...noUsage, promptTokens: 3, completionTokens: 2 }

describe.each(Object.entries(upstreams))('a response over %s', (upstream, { whole, events }) => {
  const translateRequest = (request: JsonObject) => {
    const translate = translationOf('openai-responses', upstream as keyof typeof upstreams)
    if (!translate) throw new Error(`Responses do not reach ${upstream}`)
    return translate({ model: 'm', ...request }, { ...inBody, model: 'm' }, 'm')
  }

  test.each(requests)('responses have all required members, for %s', (_what, request, reaching) => {
    const call = translateRequest(request)
    expect(JSON.stringify(call.body)).toMatch(reaching)
    const response = call.read(whole).write(usage, options)
    expect(required.filter((name) => response[name] === undefined)).toEqual([])
    expect(response).toMatchObject({ object: 'response', status: 'completed', error: null })
    for (const tool of objectsOf(response['tools']))
      expect(toolMembers.filter((name) => tool[name] === undefined)).toEqual([])
    for (const item of objectsOf(response['output']))
      expect(item).toMatchObject({ id: expect.stringMatching(/^(?:msg|fc)_/), status: 'completed' })
  })

  test('streams of responses number their events, and tell each item from its begin to its end', () => {
    const tap = translateRequest({ input: [question], tools: [weather], stream: true }).createTap?.(options)
    if (!tap) throw new Error('Responses stream')
    const pieces = events.map((event) => tap.push(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)))
    tap.end()
    const text = Buffer.concat([...pieces, tap.finish(usage)]).toString()
    const reported = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as JsonObject)
    expect(reported.map((event) => event['sequence_number'])).toEqual(reported.map((_, number) => number))
    const types = reported.map(({ type }) => String(type))
    expect(types.slice(0, 2)).toEqual(['response.created', 'response.in_progress'])
    expect(types.at(-1)).toBe('response.completed')
    const countEvents = (type: string) => types.filter((one) => one === `response.${type}`).length
    for (const pair of ['output_item', 'content_part'])
      expect(countEvents(`${pair}.added`)).toBe(countEvents(`${pair}.done`))
    for (const kind of ['output_text', 'function_call_arguments']) expect(countEvents(`${kind}.done`)).toBe(1)
    const responses = reported.flatMap(({ response }) => objectsOf([response]))
    for (const response of responses) expect(required.filter((name) => response[name] === undefined)).toEqual([])
    expect(responses.at(-1)).toMatchObject({
      status: 'completed',
      output: [{ type: 'message' }, { type: 'function_call' }],
    })
  })
})
