import { expect, test } from 'bun:test'

import OpenAI from 'openai'

import { openAiChatCodec } from '../dialects/src/chat/openai-chat/codec'
import type { AnswerEvent, BlockKind, Delta } from '../dialects/src/core/neutral/events'
import { anAnswering, textWriter } from '../dialects/src/core/neutral/test/fixtures'
import { noUsage } from '../dialects/src/core/usage'

/** The official SDK, reading what the chat writer produces. */
function clientOf(body: string, type: string): OpenAI {
  const response = () => Promise.resolve(new Response(body, { headers: { 'content-type': type } }))
  return new OpenAI({ apiKey: 'sk-none', baseURL: 'http://localhost/v1', maxRetries: 0, fetch: response })
}
const clientOfStream = (events: readonly AnswerEvent[]) => {
  const writer = textWriter(openAiChatCodec, anAnswering())
  return clientOf(events.map((event) => writer.write([event])).join(''), 'text/event-stream')
}
const whole = (events: readonly AnswerEvent[]) =>
  clientOf(JSON.stringify(openAiChatCodec.writeAnswer(events, anAnswering())), 'application/json')

const block = (number: number, of: BlockKind, ...deltas: readonly Delta[]): AnswerEvent[] => [
  { type: 'block-start', choice: 0, block: number, of },
  ...deltas.map((delta): AnswerEvent => ({ type: 'block-delta', choice: 0, block: number, delta })),
  { type: 'block-end', choice: 0, block: number },
]
const content = (text: string): Delta => ({ kind: 'text', text })
const start: AnswerEvent = { type: 'answer-start', id: '', model: 'claude-x', createdAt: 0 }
const token = { token: 'So', logProbability: -0.5, bytes: [83, 111], top: [] }
const full: readonly AnswerEvent[] = [
  start,
  ...block(0, { kind: 'thinking' }, content('hm'), { kind: 'signature', signature: 'sig' }),
  ...block(1, { kind: 'text' }, content('So '), content('it is'), {
    kind: 'citation',
    citation: { url: 'https://a.example' },
  }),
  { type: 'log-probabilities', choice: 0, tokens: [token] },
  ...block(2, { kind: 'tool-call', id: 'call_a', name: 'forecast' }, content('{"city":'), content('"Oslo"}')),
  ...block(3, { kind: 'tool-call', id: 'call_b', name: 'history' }, content('{}')),
  { type: 'choice-end', choice: 0, reason: 'tool-calls', rawReason: 'tool_use', stopSequence: null },
  { type: 'usage', usage: { ...noUsage, promptTokens: 9, completionTokens: 5, cachedTokens: 2, reasoningTokens: 1 } },
  { type: 'answer-end' },
]
const request = { model: 'claude-x', messages: [{ role: 'user' as const, content: 'hi' }] }

test('the stream helper assembles the same message as a whole response', async () => {
  const stream = clientOfStream(full).chat.completions.stream({
    ...request,
    stream: true,
    stream_options: { include_usage: true },
  })
  const done: string[] = []
  stream.on('tool_calls.function.arguments.done', ({ name, arguments: text }) => done.push(`${name} ${text}`))
  const fromStream = await stream.finalChatCompletion()
  const fromWhole = await whole(full).chat.completions.create(request)
  expect(done).toEqual(['forecast {"city":"Oslo"}', 'history {}'])
  for (const { choices, usage } of [fromStream, fromWhole]) {
    expect(choices).toHaveLength(1)
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      logprobs: { content: [{ token: 'So', logprob: -0.5 }] },
      message: { role: 'assistant', content: 'So it is', refusal: null },
    })
    const calls = choices[0]?.message.tool_calls ?? []
    expect(
      calls.map((call) => (call.type === 'function' ? [call.id, call.function.name, call.function.arguments] : [])),
    ).toEqual([
      ['call_a', 'forecast', '{"city":"Oslo"}'],
      ['call_b', 'history', '{}'],
    ])
    expect(usage).toMatchObject({
      prompt_tokens: 9,
      completion_tokens: 5,
      total_tokens: 14,
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 1 },
    })
  }
  expect(fromWhole.choices[0]?.message).toMatchObject({
    reasoning_content: 'hm',
    annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example', start_index: 0, end_index: 8 } }],
  })
})

test('the stream helper receives a refusal', async () => {
  const events: AnswerEvent[] = [
    start,
    ...block(0, { kind: 'refusal' }, content('I '), content('will not')),
    { type: 'choice-end', choice: 0, reason: 'refusal', rawReason: 'refusal', stopSequence: null },
    { type: 'answer-end' },
  ]
  const chunks: (string | null | undefined)[] = []
  for await (const { choices } of await clientOfStream(events).chat.completions.create({ ...request, stream: true }))
    chunks.push(choices[0]?.delta.refusal)
  expect(chunks.filter(Boolean)).toEqual(['I ', 'will not'])
  const { choices } = await whole(events).chat.completions.create(request)
  expect(choices[0]).toMatchObject({
    finish_reason: 'content_filter',
    message: { content: null, refusal: 'I will not' },
  })
})

test('the SDK throws when the stream fails midway', async () => {
  const error = { message: 'Upstream broke', type: 'server_error', code: 'x', param: null }
  const events: AnswerEvent[] = [start, ...block(0, { kind: 'text' }, content('a')), { type: 'failure', error }]
  const stream = clientOfStream(events).chat.completions.stream({ ...request, stream: true })
  expect(stream.finalChatCompletion()).rejects.toThrow('Upstream broke')
})
