import { describe, expect, test } from 'bun:test'

import { cohereChatV1Codec } from '../cohere-chat-v1/dialect'
import { dialects } from '../../dialects'
import { inBody } from '../../core/views'
import type { JsonObject } from '../../core/json'
import type { DialectId } from '../../core/mode'
import { anAnswering, dataOf, serverEvents, textWriter } from '../../core/neutral/test/fixtures'
import { answers } from '../../translation/test/answers'
import { translationOf } from '../../translation/translation'
import { noUsage } from '../../core/usage'
import { cohereChatCodec } from './codec'

const counts = { input_tokens: 20, output_tokens: 9 }
const writeStream = (answer: keyof typeof answers): string =>
  textWriter(cohereChatCodec, anAnswering()).write(answers[answer])

describe('a client of Cohere is told', () => {
  test('thoughts, text with its sources and calls in the events of the vendor', () => {
    const names = serverEvents(writeStream('calling')).map(({ name, data }) => name || data)
    expect(names.slice(0, 13)).toEqual([
      'message-start',
      'content-start',
      'content-delta',
      'content-end',
      'content-start',
      'content-delta',
      'content-delta',
      'citation-start',
      'citation-end',
      'content-end',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
    ])
    expect(names.slice(-2)).toEqual(['message-end', '[DONE]'])
  })

  test('a whole answer that its stream adds up to', () => {
    const whole = cohereChatCodec.writeAnswer(answers.calling, anAnswering())
    expect(whole).toMatchObject({
      finish_reason: 'TOOL_CALL',
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'It is.' },
        ],
        citations: [{ start: 0, end: 2, text: 'It', content_index: 1, sources: [{ document: { url: 'https://a' } }] }],
      },
      usage: { billed_units: counts, tokens: counts, cached_tokens: 4 },
    })
    const reader = cohereChatCodec.createReader()
    const heard = [...serverEvents(writeStream('calling')).flatMap((event) => reader.read(event)), ...reader.end()]
    expect(cohereChatCodec.writeAnswer(heard, anAnswering())).toEqual(whole)
  })

  test('an error takes the place of the end of a stream', () => {
    const error = { message: 'Broken.', type: '', code: '', param: null }
    const failing = [...answers.refusing.slice(0, 3), { type: 'failure', error } as const]
    const text = textWriter(cohereChatCodec, anAnswering()).write(failing)
    expect(dataOf(text).at(-1)).toEqual({ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'Broken.' } })
    expect(cohereChatCodec.writeAnswer(failing, anAnswering())).toEqual({ message: 'Broken.' })
  })

  test('a client of the first version gets the talk so far, and calls with their parameters', () => {
    const whole = cohereChatV1Codec.writeAnswer(answers.calling, anAnswering())
    expect(whole).toMatchObject({
      text: 'It is.',
      finish_reason: 'COMPLETE',
      chat_history: [
        { role: 'USER', message: 'hi' },
        { role: 'CHATBOT', message: 'It is.' },
      ],
      citations: [{ start: 0, end: 2, text: 'It', document_ids: ['https://a'] }],
      meta: { api_version: { version: '1' }, billed_units: counts },
    })
    expect(whole['tool_calls']).toContainEqual({ name: 'f', parameters: { a: 1 } })
    const events = dataOf(textWriter(cohereChatV1Codec, anAnswering()).write(answers.calling))
    expect(events.at(-1)).toEqual({
      is_finished: true,
      event_type: 'stream-end',
      finish_reason: 'COMPLETE',
      response: whole,
    })
  })
})

test('a stream of Cohere for its own client is cut with the end of what is open', () => {
  const tap = dialects['cohere-chat'].createTap({ swallowUsage: false, addUsage: true })
  const frames = writeStream('refusing').split(/(?<=\n\n)/)
  for (const frame of frames.slice(0, 3)) tap.push(new TextEncoder().encode(frame))
  tap.cut(1)
  const ending = serverEvents(
    new TextDecoder().decode(tap.finish({ ...noUsage, promptTokens: 20, completionTokens: 9 })),
  )
  expect(ending.map(({ name, data }) => name || data)).toEqual(['content-end', 'message-end', '[DONE]'])
  expect(JSON.parse(ending[1]?.data ?? '')).toMatchObject({
    delta: { finish_reason: 'MAX_TOKENS', usage: { billed_units: counts } },
  })
})

describe('a request of a Cohere client', () => {
  const translateRequest = (client: DialectId, upstream: DialectId, body: object) => {
    const call = translationOf(client, upstream)?.({ model: 'm', ...body }, inBody, 'gpt-4o')
    if (!call) throw new Error('There is no translation')
    return call
  }
  const messages = [{ role: 'user', content: 'hi' }]

  test('says to others what they have words for, and names the rest', () => {
    const { body, warnings } = translateRequest('cohere-chat', 'openai-chat', {
      messages,
      max_tokens: 9,
      stop_sequences: ['x'],
      p: 0.5,
      seed: 3,
      response_format: { type: 'json_object', json_schema: { type: 'object' } },
      documents: ['a'],
      safety_mode: 'OFF',
    })
    expect(body).toEqual({
      model: 'gpt-4o',
      messages,
      max_tokens: 9,
      stop: ['x'],
      top_p: 0.5,
      seed: 3,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } },
    })
    expect(warnings).toEqual(['documents', 'safety_mode'])
    expect(translateRequest('cohere-chat', 'gemini', { messages, documents: ['a'] }).warnings).toEqual(['documents'])
  })

  test('brings plans, calls and the documents that tools gave back', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }
    const conversation = [
      ...messages,
      { role: 'assistant', tool_plan: 'I look.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'document', document: { data: { ice: true } } }] },
    ]
    expect(translateRequest('cohere-chat', 'openai-chat', { messages: conversation }).body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'I look.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: '{"ice":true}' },
    ])
  })

  test('a request of the first version becomes one of the second, with results of tools behind their calls', () => {
    const tools = [{ name: 'look', description: 'd', parameter_definitions: { a: { type: 'int', required: true } } }]
    const tool_results = [{ call: { name: 'look', parameters: { a: 1 } }, outputs: [{ ice: true }] }]
    const { body, warnings } = translateRequest('cohere-chat-v1', 'cohere-chat', {
      message: 'hi',
      preamble: 'Be brief',
      tools,
      tool_results,
      documents: [{ id: '1', text: 'a' }],
    })
    const result: JsonObject = { role: 'tool', tool_call_id: 'call_0', content: '[{"ice":true}]' }
    expect(body).toMatchObject({
      messages: [
        { role: 'system', content: 'Be brief' },
        ...messages,
        { role: 'assistant', tool_calls: [{ id: 'call_0', function: { name: 'look', arguments: '{"a":1}' } }] },
        result,
      ],
      tools: [{ function: { name: 'look', parameters: { properties: { a: { type: 'integer' } }, required: ['a'] } } }],
      documents: [{ id: '1', data: { text: 'a' } }],
    })
    expect(warnings).toBeEmpty()
    const chat_history = [
      { role: 'USER', message: 'hi' },
      { role: 'CHATBOT', message: 'I look.', tool_calls: [{ name: 'look', parameters: { a: 1 } }] },
    ]
    expect(
      translateRequest('cohere-chat-v1', 'openai-chat', { message: '', chat_history, tool_results }).body['messages'],
    ).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'I look.' },
      { role: 'tool', tool_call_id: 'call_0' },
    ])
  })

  test.each([
    ['cohere-chat', { model: 'm' }, 'messages'],
    ['cohere-chat-v1', { model: 'm' }, 'message'],
    ['cohere-chat-v1', { model: 'm', message: 'hi', conversation_id: 'c' }, 'conversation_id'],
    ['cohere-embeddings', { model: 'm' }, 'texts'],
    ['cohere-embeddings', { model: 'm', texts: [1] }, 'texts[0]'],
    ['cohere-embeddings-v1', { model: 'm', inputs: ['a'] }, 'inputs[0]'],
  ] as const)('a request of %s with %j is refused for its %s', (id, body, param) => {
    expect(() => dialects[id].readRequest(body, inBody)).toThrow(expect.objectContaining({ param }))
  })

  test('a request for vectors gets those types that others can make, by both versions', () => {
    const answer = { data: [{ index: 0, embedding: [1, -2] }], usage: { prompt_tokens: 5 } }
    const options = { model: 'mine', newId: () => 'id', includeUsage: false, now: 1, promptTokens: 1 }
    const translateAnswer = (client: DialectId, body: object) =>
      translateRequest(client, 'openai-embeddings', { texts: ['a'], ...body })
        .read(answer)
        .write(
          { ...noUsage, promptTokens: 5 },
          {
            ...options,
            thoughtsAsText: false,
            taggedThoughts: false,
          },
        )
    const meta = { api_version: { version: '2' }, billed_units: { input_tokens: 5 } }
    const both = translateAnswer('cohere-embeddings', { embedding_types: ['float', 'base64'] })
    expect(both).toEqual({
      id: 'id',
      texts: ['a'],
      embeddings: { float: [[1, -2]], base64: ['AACAPwAAAMA='] },
      meta,
      response_type: 'embeddings_by_type',
    })
    expect(translateAnswer('cohere-embeddings-v1', {})).toMatchObject({
      embeddings: [[1, -2]],
      response_type: 'embeddings_floats',
      meta: { api_version: { version: '1' } },
    })
    expect(translateAnswer('cohere-embeddings-v1', { embedding_types: ['float'] })).toMatchObject({
      embeddings: { float: [[1, -2]] },
    })
    expect(() => translateAnswer('cohere-embeddings', { embedding_types: ['int8'] })).toThrow('embedding_types')
  })
})
