import { describe, expect, test } from 'bun:test'

import { dialects } from '../../dialects'
import { type StreamTap } from '../../core/dialect'
import { inBody } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { textOf } from '../../core/neutral/read'
import { anAnswering, dataOf, textWriter } from '../../core/neutral/test/fixtures'
import { ollamaGenerateCodec } from '../ollama-generate'
import { answers } from '../../translation/test/answers'
import { translationOf } from '../../translation/translation'
import { noUsage } from '../../core/usage'
import { ollamaChatCodec } from './codec'

const writeStream = (answer: keyof typeof answers): JsonObject[] =>
  dataOf(textWriter(ollamaChatCodec, anAnswering()).write(answers[answer]))

describe('a client of Ollama is told', () => {
  test('thoughts, text and calls with objects as arguments, a line each', () => {
    const lines = writeStream('calling')
    expect(lines.map(({ message }) => message).slice(0, 4)).toEqual([
      { role: 'assistant', content: '', thinking: 'hm' },
      { role: 'assistant', content: 'It ' },
      { role: 'assistant', content: 'is.' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_f', function: { index: 0, name: 'f', arguments: { a: 1 } } }],
      },
    ])
    expect(lines.at(-1)).toMatchObject({ done: true, done_reason: 'stop', prompt_eval_count: 20, eval_count: 9 })
    expect(
      lines.every(({ model, created_at }) => model === 'claude-x' && created_at === '2025-10-09T08:53:20.000Z'),
    ).toBe(true)
  })

  test('a whole answer says what its stream adds up to', () => {
    const lines = writeStream('calling')
    const messages = lines.map(({ message }) => message as Record<string, unknown>)
    const joinMember = (name: string) => messages.map((message) => textOf(message[name])).join('')
    expect(ollamaChatCodec.writeAnswer(answers.calling, anAnswering())).toEqual({
      ...lines.at(-1),
      message: {
        role: 'assistant',
        content: joinMember('content'),
        thinking: joinMember('thinking'),
        tool_calls: messages.flatMap(({ tool_calls = [] }) => tool_calls),
      },
    })
  })

  test('the time of its call where the upstream tells one that no date has', () => {
    const start = { type: 'answer-start', id: 'a', model: 'm', createdAt: 1e308 } as const
    expect(ollamaChatCodec.writeAnswer([start], anAnswering())).toMatchObject({
      created_at: '2025-10-09T08:53:20.000Z',
    })
  })

  test('a refusal, and pictures as base64', () => {
    expect(writeStream('refusing')).toMatchObject([{ message: { content: 'No.' } }, { done_reason: 'content_filter' }])
    expect(writeStream('drawing')).toMatchObject([
      { message: { images: ['AAAA'] } },
      { message: { content: 'There' } },
      { done_reason: 'length' },
    ])
    expect(ollamaGenerateCodec.writeAnswer(answers.drawing, anAnswering())).toMatchObject({
      response: 'There',
      image: 'AAAA',
    })
  })

  test('how long the prompt and the answer took', () => {
    let now = 100
    const answering = { ...anAnswering(), clock: { monotonic: () => (now += 50) }, startedAt: 100 }
    const lines = dataOf(textWriter(ollamaChatCodec, answering).write(answers.refusing))
    expect(lines.at(-1)).toMatchObject({
      total_duration: 100_000_000,
      prompt_eval_duration: 50_000_000,
      eval_duration: 50_000_000,
    })
  })

  test('an error as text, in place of an end', () => {
    const error = { message: 'Broken.', type: '', code: '', param: null }
    const failing = [...answers.refusing.slice(0, 3), { type: 'failure', error } as const]
    expect(dataOf(textWriter(ollamaChatCodec, anAnswering()).write(failing)).at(-1)).toEqual({ error: 'Broken.' })
    expect(ollamaChatCodec.writeAnswer(failing, anAnswering())).toEqual({ error: 'Broken.' })
  })
})

describe('a stream of Ollama for its own client', () => {
  const line = (content: string, rest: object = { done: false }) =>
    `data: {"model":"m", "created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":"${content}"},${JSON.stringify(rest).slice(1)}\n\n`
  const lines = [
    line('Hi '),
    line('ü'),
    line('', { done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 2 }),
  ]
  const aTap = (): StreamTap => dialects['ollama-chat'].createTap({ swallowUsage: false, addUsage: true })
  const encode = (text: string) => new TextEncoder().encode(text)
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

  test('passes unchanged, its end only once the call is charged', () => {
    const tap = aTap()
    const form = dialects['ollama-chat'].streamForm?.('')
    expect(lines.map((text) => decode(tap.push(encode(text))))).toEqual([lines[0] ?? '', lines[1] ?? '', ''])
    expect(tap.isDone).toBe(true)
    expect(tap.usage).toMatchObject({ promptTokens: 5, completionTokens: 2 })
    expect(decode(tap.finish(null))).toBe(lines[2] ?? '')
    const sent = [...lines.map((text) => form?.push(encode(text))), form?.end()].map((part) =>
      decode(part ?? encode('')),
    )
    expect(sent.join('')).toBe(lines.map((text) => `${text.slice('data: '.length, -2)}\n`).join(''))
  })

  test('a stream that is cut ends with a line of its own', () => {
    const tap = aTap()
    tap.push(encode(lines[0] ?? ''))
    tap.cut(1)
    const ending = dataOf(decode(tap.finish({ ...noUsage, promptTokens: 5, completionTokens: 1 })))
    expect(ending).toEqual([
      expect.objectContaining({ model: 'm', done: true, done_reason: 'length', prompt_eval_count: 5, eval_count: 1 }),
    ])
  })
})

describe('a request of an Ollama client', () => {
  const translateRequest = (body: object, client: 'ollama-chat' | 'ollama-generate' = 'ollama-chat') => {
    const call = translationOf(client, 'openai-chat')?.({ model: 'm', ...body }, inBody, 'gpt-4o')
    if (!call) throw new Error('There is no translation')
    return call
  }
  const messages = [{ role: 'user', content: 'hi' }]

  test.each([
    [{ stream: false }, {}],
    [{}, { stream: true, stream_options: { include_usage: true } }],
    [{ stream: false, format: 'json' }, { response_format: { type: 'json_object' } }],
    [{ stream: false, format: '' }, {}],
    [
      { stream: false, format: { type: 'object' } },
      { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } } },
    ],
    [
      { stream: false, options: { num_predict: 9, stop: 'x', seed: 3, temperature: 0.5, top_p: 0.9 } },
      { max_tokens: 9, stop: ['x'], seed: 3, temperature: 0.5, top_p: 0.9 },
    ],
    [{ stream: false, options: { num_predict: -1 } }, {}],
  ])('a chat with %j says %j to others', (members, expected) => {
    const { body, warnings } = translateRequest({ messages, ...members })
    expect(body).toEqual({ model: 'gpt-4o', messages, ...expected })
    expect(warnings).toBeEmpty()
  })

  test('brings pictures and results of tools, which name their tool', () => {
    const conversation = [
      { role: 'user', content: 'what', images: ['/9j/AAAA'] },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'look', arguments: { a: 1 } } }] },
      { role: 'tool', tool_name: 'look', content: 'ice' },
    ]
    const call = { id: 'call_0', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }
    expect(translateRequest({ messages: conversation }).body['messages']).toMatchObject([
      { content: [{ text: 'what' }, { image_url: { url: 'data:image/jpeg;base64,/9j/AAAA' } }] },
      { tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_0', content: 'ice' },
    ])
  })

  test('one prompt becomes a chat with the instructions before it', () => {
    const { body, warnings } = translateRequest({ prompt: 'hi', system: 'Be brief', raw: true }, 'ollama-generate')
    expect(body['messages']).toEqual([{ role: 'system', content: 'Be brief' }, ...messages])
    expect(warnings).toEqual(['raw'])
    expect(() => translateRequest({ prompt: 'hi', context: [1] }, 'ollama-generate')).toThrow('context')
  })

  test.each([
    ['ollama-chat', { model: 'm', messages, options: { num_predict: 1.5 } }, 'num_predict'],
    ['ollama-chat', { model: 'm', messages, options: [] }, 'options'],
    ['ollama-chat', { model: 'm', messages, stream: 'no' }, 'stream'],
    ['ollama-generate', { model: 'm' }, 'prompt'],
    ['ollama-embeddings', { model: 'm', input: ['a', 1] }, 'input[1]'],
    ['ollama-embedding', { model: 'm', input: 'a' }, 'prompt'],
  ] as const)('a request of %s with %j is refused for its %s', (id, body, param) => {
    expect(() => dialects[id].readRequest(body, inBody)).toThrow(expect.objectContaining({ param }))
  })
})
