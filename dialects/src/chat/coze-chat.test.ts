import { describe, expect, test } from 'bun:test'

import { dialects } from '../dialects'
import type { JsonObject } from '../core/json'
import type { NeutralCall } from '../core/neutral/call'
import type { AnswerEvent } from '../core/neutral/events'
import { aCall, joinDeltas } from '../core/neutral/test/fixtures'
import { noUsage } from '../core/usage'
import { cozeChatCodec as codec } from './coze-chat'

const dialect = dialects['coze-chat']
const text = (words: string) => [{ kind: 'text', text: words } as const]
const conversation = [
  { role: 'system', parts: text('Be brief.') },
  { role: 'user', parts: text('Rain?') },
  { role: 'assistant', parts: text('Yes.') },
  { role: 'user', parts: text('And snow?') },
] as const
const question = (content: string) => ({ role: 'user', type: 'question', content_type: 'text', content })
const writeCall = (change: Partial<NeutralCall>, warn: (what: string) => void = () => {}) =>
  codec.writeCall(aCall({ model: '7342866812345', ...change }), warn)
const common = { bot_id: '7342866812345', stream: true, auto_save_history: true }

/** Events of a stream, as https://www.coze.cn/open/docs/developer_guides/chat_v3 shows them. */
const event = (name: string, data: JsonObject = {}): JsonObject => ({
  event: `conversation.${name}`,
  conversation_id: 'c1',
  ...data,
})
const delta = (content: string, more: JsonObject = {}) =>
  event('message.delta', { id: 'm1', role: 'assistant', type: 'answer', content, content_type: 'text', ...more })
const createCompletedMessage = (content: string, more: JsonObject = {}) => ({
  ...delta(content, more),
  event: 'conversation.message.completed',
})
const usage = { token_count: 8, output_count: 3, input_count: 5 }
const created = event('chat.created', { id: 'chat1', status: 'created', usage: { token_count: 0 } })
const end = event('chat.completed', { id: 'chat1', status: 'completed', last_error: { code: 0, msg: '' }, usage })

const read = (...events: readonly JsonObject[]): readonly AnswerEvent[] => {
  const reader = codec.createReader()
  const reported = events.flatMap(({ event: name, ...data }) =>
    reader.read({ name: typeof name === 'string' ? name : '', data: JSON.stringify(data) }),
  )
  return joinDeltas([...reported, ...reader.read({ name: 'done', data: '"[DONE]"' }), ...reader.end()])
}

describe('a request', () => {
  test('tells the bot the whole talk where the client names no conversation', () => {
    expect(writeCall({ messages: conversation, user: null })).toEqual({
      ...common,
      user_id: 'tollgate',
      additional_messages: [
        question('Be brief.'),
        question('Rain?'),
        { role: 'assistant', type: 'answer', content_type: 'text', content: 'Yes.' },
        question('And snow?'),
      ],
    })
  })

  test('goes on with the conversation that the client names, with its variables', () => {
    const members = { conversation_id: 'chatcmpl-c1', custom_variables: { city: 'Ulm' }, parameters: { n: 1 } }
    expect(writeCall({ messages: conversation, user: 'u1', own: { dialect: 'openai-chat', members } })).toEqual({
      ...common,
      conversation_id: 'c1',
      user_id: 'u1',
      additional_messages: [question('And snow?')],
      custom_variables: { city: 'Ulm' },
      parameters: { n: 1 },
    })
  })

  test('shows files by their addresses beside the text, and warns of others', () => {
    const warnings: string[] = []
    const parts = [
      ...text('See'),
      { kind: 'image', source: { kind: 'url', url: 'https://x/y.png' } },
      { kind: 'image', source: { kind: 'data', data: 'AA==', mime: 'image/png' } },
    ] as const
    const body = writeCall({ messages: [{ role: 'user', parts }] }, (what) => warnings.push(what))
    expect(body['additional_messages']).toEqual([
      {
        role: 'user',
        type: 'question',
        content_type: 'object_string',
        content: '[{"type":"text","text":"See"},{"type":"image","file_url":"https://x/y.png"}]',
      },
    ])
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
  const ended: AnswerEvent[] = [
    { type: 'choice-end', choice: 0, reason: 'stop', rawReason: 'stop', stopSequence: null },
    { type: 'usage', usage: { ...noUsage, promptTokens: 5, completionTokens: 3 } },
    { type: 'answer-end' },
  ]

  test('an answer is called as its conversation, streamed or collected, and its text counts once', () => {
    const events = [created, delta('It '), delta('rains.'), createCompletedMessage('It rains.'), end]
    const expected = [start, ...block(0, 'text', 'It rains.'), ...ended]
    expect(read(...events)).toEqual(expected)
    expect(joinDeltas(codec.readAnswer({ events }))).toEqual(expected)
    expect(dialect.readAnswer({ events })).toMatchObject({ error: null, isEmpty: false })
  })

  test('an answer shows reasoning and the tools that the bot ran as thoughts', () => {
    const call = { type: 'function_call', id: 'm0', content: '{"name":"weather","arguments":{"city":"Ulm"}}' }
    const events = [
      delta('', { reasoning_content: 'Hm. ' }),
      createCompletedMessage('', call),
      createCompletedMessage('wet', { type: 'tool_response', id: 'm0' }),
      createCompletedMessage('[]', { type: 'knowledge', id: 'm9' }),
      delta('It rains.'),
      createCompletedMessage('What next?', { type: 'follow_up', id: 'm2' }),
      createCompletedMessage('{"msg_type":"generate_answer_finish"}', { type: 'verbose', id: 'm3' }),
      end,
    ]
    const answer = read(...events)
    expect(answer.filter(({ type }) => type !== 'left-out')).toEqual([
      start,
      ...block(0, 'thinking', 'Hm. weather({"city":"Ulm"})\nwet\n'),
      ...block(1, 'text', 'It rains.'),
      ...ended,
    ])
    expect(answer).toContainEqual({ type: 'left-out', what: 'the message follow_up' })
  })

  test('answers that follow one another are apart, also one that comes as a whole', () => {
    const events = [delta('One.'), createCompletedMessage('One.'), createCompletedMessage('Two.', { id: 'm2' }), end]
    expect(read(...events)).toEqual([start, ...block(0, 'text', 'One.\n\nTwo.'), ...ended])
  })

  test('thoughts and text that no piece told come from the whole message', () => {
    const whole = { reasoning_content: 'Hm.' }
    const expected = [start, ...block(0, 'thinking', 'Hm.'), ...block(1, 'text', 'It rains.'), ...ended]
    expect(read(createCompletedMessage('It rains.', whole), end)).toEqual(expected)
    expect(read(delta('', whole), createCompletedMessage('It rains.', whole), end)).toEqual(expected)
  })

  test('an answer that is cut off has no end', () => {
    expect(read(created, delta('It ')).map(({ type }) => type)).not.toContain('choice-end')
  })

  test.each([
    [event('chat.failed', { last_error: { code: 702_232_007, msg: 'No model' } }), '702232007', 'No model'],
    [{ event: 'error', code: 4013, msg: 'Too fast' }, '4013', 'Too fast'],
    [event('chat.requires_action', { id: 'chat1' }), 'requires_action', expect.stringContaining('not supported')],
    [event('chat.canceled'), 'canceled', 'The chat was canceled'],
  ])('an answer tells its failure, and nothing after it: %j', (failed, code, message) => {
    const reported = { type: '', param: null, code, message }
    expect(read(failed, end)).toEqual([{ type: 'failure', error: reported }])
    expect(dialect.readAnswer({ events: [failed] }).error).toEqual(reported)
  })

  test('an error in place of a stream is told with its code', () => {
    const body = { code: 4100, msg: 'authentication is invalid', detail: { logid: 'x' } }
    expect(dialect.readAnswer(body).error).toMatchObject({ code: '4100', message: 'authentication is invalid' })
  })
})
