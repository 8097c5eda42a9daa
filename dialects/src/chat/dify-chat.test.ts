import { describe, expect, test } from 'bun:test'

import { dialects } from '../dialects'
import type { JsonObject } from '../core/json'
import type { NeutralCall } from '../core/neutral/call'
import type { AnswerEvent } from '../core/neutral/events'
import { aCall, joinDeltas } from '../core/neutral/test/fixtures'
import { noUsage } from '../core/usage'
import { difyChatCodec as codec } from './dify-chat'

const dialect = dialects['dify-chat']
const text = (words: string) => [{ kind: 'text', text: words } as const]
const conversation = [
  { role: 'system', parts: text('Be brief.') },
  { role: 'user', parts: text('Rain?') },
  { role: 'assistant', parts: text('Yes.') },
  { role: 'user', parts: text('And snow?') },
] as const
const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
const counted = { ...noUsage, promptTokens: 5, completionTokens: 3 }

const writeCall = (change: Partial<NeutralCall>) => codec.writeCall(aCall(change), () => {})

const read = (...events: readonly JsonObject[]): readonly AnswerEvent[] => {
  const reader = codec.createReader()
  return joinDeltas([...events.flatMap((one) => reader.read({ name: '', data: JSON.stringify(one) })), ...reader.end()])
}

const event = (name: string, members: JsonObject = {}): JsonObject => ({
  event: name,
  conversation_id: 'c1',
  message_id: 'm1',
  ...members,
})
const end = event('message_end', { metadata: { usage } })

describe('a request', () => {
  test('asks with the whole talk where the client names no conversation', () => {
    expect(writeCall({ messages: conversation, user: null })).toEqual({
      inputs: {},
      query: 'SYSTEM:\nBe brief.\n\nUSER:\nRain?\n\nASSISTANT:\nYes.\n\nUSER:\nAnd snow?',
      response_mode: 'streaming',
      user: 'tollgate',
      auto_generate_name: false,
    })
  })

  test.each([
    [
      'its body',
      { own: { dialect: 'openai-chat', members: { conversation_id: 'chatcmpl-c1', inputs: { city: 'Ulm' } } } },
      { city: 'Ulm' },
    ],
    ['its metadata', { metadata: { conversation_id: 'c1' } }, {}],
  ] as const)('goes on with the conversation that %s names', (_, named, inputs) => {
    expect(writeCall({ messages: conversation, user: 'u1', ...named })).toEqual({
      inputs,
      query: 'And snow?',
      response_mode: 'streaming',
      conversation_id: 'c1',
      user: 'u1',
      auto_generate_name: false,
    })
  })

  test('shows files by their addresses, and warns of others', () => {
    const warnings: string[] = []
    const parts = [
      ...text('See'),
      { kind: 'image', source: { kind: 'url', url: 'https://x/y.png' } },
      { kind: 'image', source: { kind: 'data', data: 'AA==', mime: 'image/png' } },
    ] as const
    const body = codec.writeCall(aCall({ messages: [{ role: 'user', parts }] }), (what) => warnings.push(what))
    expect(body['files']).toEqual([{ type: 'image', transfer_method: 'remote_url', url: 'https://x/y.png' }])
    expect(body['query']).toBe('See')
    expect(warnings).toEqual(['a file without an address'])
  })
})

describe('an answer', () => {
  const start: AnswerEvent = { type: 'answer-start', id: 'c1', model: '', createdAt: 0, isConversation: true }
  const block = (number: number, kind: 'text' | 'thinking', words: string): AnswerEvent[] => [
    { type: 'block-start', choice: 0, block: number, of: { kind } },
    { type: 'block-delta', choice: 0, block: number, delta: { kind: 'text', text: words } },
    { type: 'block-end', choice: 0, block: number },
  ]
  const createEndEvents = (reason: 'stop' | 'content-filter', rawReason: string): AnswerEvent[] => [
    { type: 'choice-end', choice: 0, reason, rawReason, stopSequence: null },
    { type: 'usage', usage: counted },
    { type: 'answer-end' },
  ]

  test('a chat’s answer is called as its conversation, streamed, collected or blocking', () => {
    const expected = [start, ...block(0, 'text', 'It rains.'), ...createEndEvents('stop', 'stop')]
    const events = [event('message', { answer: 'It ' }), { event: 'ping' }, event('message', { answer: 'rains.' }), end]
    expect(read(...events)).toEqual(expected)
    expect(joinDeltas(codec.readAnswer({ events }))).toEqual(expected)
    expect(joinDeltas(codec.readAnswer({ ...event('message', { answer: 'It rains.' }), metadata: { usage } }))).toEqual(
      expected,
    )
    expect(dialect.readAnswer({ events })).toMatchObject({ usage: counted, error: null, isEmpty: false })
  })

  test('an agent’s answer shows its tools as thoughts, and its text once', () => {
    const step = { id: 's1', tool: 'weather', tool_input: '{"city":"Ulm"}' }
    const events = read(
      event('agent_thought', { ...step, observation: '' }),
      event('agent_thought', { ...step, observation: 'wet' }),
      event('agent_thought', { ...step, observation: 'wet' }),
      event('agent_message', { answer: 'It ' }),
      event('agent_message', { answer: 'rains.' }),
      event('message', { answer: 'It rains.' }),
      end,
    )
    expect(events).toEqual([
      start,
      ...block(0, 'thinking', 'weather({"city":"Ulm"})\nwet\n'),
      ...block(1, 'text', 'It rains.'),
      ...createEndEvents('stop', 'stop'),
    ])
  })

  test('a chat with a workflow ends with its message', () => {
    const finished = event('workflow_finished', { data: { status: 'succeeded', outputs: { answer: 'It rains.' } } })
    expect(read(event('workflow_started'), event('message', { answer: 'It rains.' }), finished, end)).toEqual([
      start,
      ...block(0, 'text', 'It rains.'),
      ...createEndEvents('stop', 'stop'),
    ])
  })

  test('an answer that was replaced ends for its content', () => {
    expect(read(event('message', { answer: 'Bad' }), event('message_replace', { answer: 'No.' }), end)).toEqual([
      start,
      ...block(0, 'text', 'Bad'),
      ...createEndEvents('content-filter', 'content_filter'),
    ])
  })

  test('an answer that was replaced before anything was said is the replacement', () => {
    expect(read(event('message_replace', { answer: 'No.' }), end)).toEqual([
      start,
      ...block(0, 'text', 'No.'),
      ...createEndEvents('content-filter', 'content_filter'),
    ])
  })

  const run = (name: string, data: JsonObject): JsonObject => ({ event: name, workflow_run_id: 'w1', data })
  const textIn = (events: readonly AnswerEvent[]) =>
    events.flatMap((one) => (one.type === 'block-delta' && one.delta.kind === 'text' ? [one.delta.text] : [])).join('')

  test.each([
    [{ text: 'a', other: 1 }, 'a'],
    [{ summary: 'b' }, 'b'],
    [{ one: 1, two: 'c' }, '{"one":1,"two":"c"}'],
    [{}, ''],
  ])('a workflow with the outputs %j says %p', (outputs, words) => {
    const finished = { status: 'succeeded', outputs, total_tokens: 9 }
    expect(textIn(read(run('workflow_started', {}), run('workflow_finished', finished)))).toBe(words)
    expect(textIn(codec.readAnswer({ workflow_run_id: 'w1', data: finished }))).toBe(words)
    const streamed = [run('text_chunk', { text: 'said' }), run('workflow_finished', finished)]
    expect(textIn(read(...streamed))).toBe('said')
  })

  test('an answer that is cut off has no end', () => {
    expect(read(event('message', { answer: 'It ' })).map(({ type }) => type)).not.toContain('choice-end')
  })

  test.each([
    [
      event('error', { status: 400, code: 'invalid_param', message: 'No query' }),
      { status: 400, code: 'invalid_param', message: 'No query' },
    ],
    [
      run('workflow_finished', { status: 'failed', error: 'A node broke' }),
      { code: 'workflow_failed', message: 'A node broke' },
    ],
    // https://docs.dify.ai/en/api-reference/guides/human-input-flow
    [
      event('human_input_required', { data: { form_token: 't', form_content: 'Approve?', actions: [] } }),
      { code: 'human_input_required', message: expect.stringContaining('not supported') },
    ],
    [run('workflow_paused', { reasons: [] }), { code: 'human_input_required', message: expect.any(String) }],
  ])('an answer tells its failure, and nothing after it', (failed, error) => {
    const reported = { type: '', param: null, ...error }
    expect(read(failed, end)).toEqual([{ type: 'failure', error: reported }])
    expect(dialect.readAnswer({ events: [failed] }).error).toEqual(reported)
  })
})
