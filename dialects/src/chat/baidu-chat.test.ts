import { describe, expect, test } from 'bun:test'

import { dialects } from '../dialects'
import type { JsonObject } from '../core/json'
import type { Message, NeutralCall } from '../core/neutral/call'
import type { AnswerEvent } from '../core/neutral/events'
import { aCall, joinDeltas, noSampling } from '../core/neutral/test/fixtures'
import { noUsage } from '../core/usage'
import { baiduChatCodec as codec } from './baidu-chat'

const dialect = dialects['baidu-chat']
const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
const counted = { ...noUsage, promptTokens: 5, completionTokens: 7 }

function writeCall(change: Partial<NeutralCall>) {
  const warnings: string[] = []
  return { body: codec.writeCall(aCall(change), (what) => warnings.push(what)), warnings }
}

const read = (...events: readonly JsonObject[]): readonly AnswerEvent[] => {
  const reader = codec.createReader()
  return joinDeltas([
    ...events.flatMap((event) => reader.read({ name: '', data: JSON.stringify(event) })),
    ...reader.end(),
  ])
}

const text = (role: Message['role'], value: string): Message => ({ role, parts: [{ kind: 'text', text: value }] })
const tool = { kind: 'function', name: 'weather', description: '', schema: {}, isStrict: null } as const

describe('a request', () => {
  test('puts instructions apart and brings values within the bounds of the vendor', () => {
    const { body, warnings } = writeCall({
      isStream: true,
      user: 'u1',
      messages: [text('system', 'Be brief.'), text('user', 'hi'), text('user', 'there')],
      sampling: {
        ...noSampling,
        maxTokens: 1,
        temperature: 0,
        topP: 0.5,
        frequencyPenalty: 1,
        stop: ['a', 'b', 'c', 'd', 'e'],
      },
      output: { kind: 'json' },
    })
    expect(body).toEqual({
      messages: [{ role: 'user', content: 'hi\n\nthere' }],
      system: 'Be brief.',
      temperature: 0.01,
      top_p: 0.5,
      penalty_score: 1.5,
      max_output_tokens: 2,
      stop: ['a', 'b', 'c', 'd'],
      response_format: 'json_object',
      user_id: 'u1',
      stream: true,
    })
    expect(warnings).toEqual(['more than 4 stop sequences'])
  })

  test('calls tools one at a time, with instructions before the first message', () => {
    const { body } = writeCall({
      messages: [
        text('system', 'Be brief.'),
        text('user', 'Rain?'),
        {
          role: 'assistant',
          parts: [
            { kind: 'text', text: 'Let me see.' },
            { kind: 'tool-call', id: 'a', name: 'weather', argumentsText: '{"city":"Bern"}' },
            { kind: 'tool-call', id: 'b', name: 'clock', argumentsText: '' },
          ],
        },
        {
          role: 'user',
          parts: [
            { kind: 'tool-result', callId: 'b', name: 'clock', parts: [], isError: false },
            {
              kind: 'tool-result',
              callId: 'a',
              name: 'weather',
              parts: [{ kind: 'text', text: 'Rain' }],
              isError: false,
            },
          ],
        },
      ],
      tools: [tool],
      toolChoice: { kind: 'tool', name: 'weather' },
    })
    expect(body).toEqual({
      messages: [
        { role: 'user', content: 'Be brief.\n\nRain?' },
        {
          role: 'assistant',
          content: 'Let me see.',
          function_call: { name: 'weather', arguments: '{"city":"Bern"}' },
        },
        { role: 'function', name: 'weather', content: 'Rain' },
        { role: 'assistant', content: '', function_call: { name: 'clock', arguments: '{}' } },
        { role: 'function', name: 'clock', content: 'Done.' },
      ],
      functions: [{ name: 'weather', description: 'weather', parameters: { type: 'object', properties: {} } }],
      tool_choice: { type: 'function', function: { name: 'weather' } },
    })
  })

  test('a search of the vendor is asked for with its sources', () => {
    const search = { kind: 'built-in', tool: 'web-search', own: { dialect: 'x', value: {} } } as const
    expect(writeCall({ tools: [search] }).body).toMatchObject({ disable_search: false, enable_citation: true })
    expect(writeCall({ tools: [{ ...search, tool: 'code-execution' }] }).warnings).toEqual([
      'the built-in tool code-execution',
    ])
    expect(writeCall({ tools: [tool], toolChoice: { kind: 'none' } }).body).not.toHaveProperty('functions')
  })

  test('warns of what the vendor cannot be told', () => {
    const image = { kind: 'image', source: { kind: 'url', url: 'https://x/y.png' } } as const
    const { warnings } = writeCall({
      messages: [{ role: 'user', parts: [{ kind: 'text', text: 'x' }, image] }],
      tools: [tool],
      toolChoice: { kind: 'required' },
      sampling: { ...noSampling, topK: 3, presencePenalty: 1 },
    })
    expect(warnings).toEqual(['top_k', 'presence_penalty', 'tool_choice', 'image'])
  })
})

describe('an answer', () => {
  const answer = {
    id: 'as-1',
    object: 'chat.completion',
    created: 1_693_811_126,
    result: 'Rain.',
    is_truncated: false,
    need_clear_history: false,
    finish_reason: 'normal',
    usage,
  }
  const start: AnswerEvent = { type: 'answer-start', id: 'as-1', model: '', createdAt: 1_693_811_126 }
  const createEndEvents = (reason: 'stop' | 'tool-calls', rawReason: string): AnswerEvent[] => [
    { type: 'choice-end', choice: 0, reason, rawReason, stopSequence: null },
    { type: 'usage', usage: counted },
    { type: 'answer-end' },
  ]
  const createAnswerEvents = (): AnswerEvent[] => [
    start,
    { type: 'block-start', choice: 0, block: 0, of: { kind: 'text' } },
    { type: 'block-delta', choice: 0, block: 0, delta: { kind: 'text', text: 'Rain.' } },
    { type: 'block-end', choice: 0, block: 0 },
    ...createEndEvents('stop', 'normal'),
  ]

  test('an answer reads the same whole and as a stream', () => {
    expect(codec.readAnswer(answer)).toEqual(createAnswerEvents())
    expect(
      read(
        {
          ...answer,
          result: 'Ra',
          is_end: false,
          sentence_id: 0,
          finish_reason: undefined,
          usage: { prompt_tokens: 5 },
        },
        { ...answer, result: 'in.', is_end: true, sentence_id: 1 },
      ),
    ).toEqual(createAnswerEvents())
    expect(dialect.readAnswer(answer)).toMatchObject({ usage: counted, error: null, isEmpty: false })
  })

  test('a function call is read with the thoughts behind it', () => {
    const call = { name: 'weather', arguments: '{"city":"Bern"}', thoughts: 'Hm.' }
    expect(codec.readAnswer({ ...answer, result: '', function_call: call, finish_reason: 'function_call' })).toEqual([
      start,
      { type: 'block-start', choice: 0, block: 0, of: { kind: 'thinking' } },
      { type: 'block-delta', choice: 0, block: 0, delta: { kind: 'text', text: 'Hm.' } },
      { type: 'block-end', choice: 0, block: 0 },
      { type: 'block-start', choice: 0, block: 1, of: { kind: 'tool-call', id: 'call_as-1', name: 'weather' } },
      { type: 'block-delta', choice: 0, block: 1, delta: { kind: 'text', text: '{"city":"Bern"}' } },
      { type: 'block-end', choice: 0, block: 1 },
      ...createEndEvents('tool-calls', 'function_call'),
    ])
  })

  test('search results become citations', () => {
    const found = { search_results: [{ index: 1, url: 'https://x/w', title: 'Weather', datasource_id: '' }] }
    expect(codec.readAnswer({ ...answer, search_info: found })).toContainEqual({
      type: 'block-delta',
      choice: 0,
      block: 0,
      delta: { kind: 'citation', citation: { url: 'https://x/w', title: 'Weather' } },
    })
  })

  test.each([
    [{ finish_reason: 'length' }, 'length'],
    [{ finish_reason: undefined, is_truncated: true }, 'length'],
    [{ finish_reason: 'stop' }, 'stop-sequence'],
    [{ finish_reason: 'content_filter' }, 'content-filter'],
    [{ finish_reason: undefined }, 'stop'],
    [{ finish_reason: 'new' }, 'other'],
  ] as const)('%j ends for %s', (more, reason) => {
    expect(codec.readAnswer({ ...answer, ...more })).toContainEqual(
      expect.objectContaining({ type: 'choice-end', reason }),
    )
  })

  test('a failure with status 200 is read with its code, whole or in a stream', () => {
    const failed = { error_code: 110, error_msg: 'Access token invalid or no longer valid', id: 'as-2' }
    const error = { code: '110', message: 'Access token invalid or no longer valid' }
    expect(dialect.readAnswer(failed).error).toMatchObject(error)
    expect(read({ ...answer, is_end: false }, failed).at(-1)).toMatchObject({ type: 'failure', error })
  })
})
