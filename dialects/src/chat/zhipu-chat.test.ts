import { describe, expect, test } from 'bun:test'

import { dialects } from '../dialects'
import type { JsonObject } from '../core/json'
import type { NeutralCall } from '../core/neutral/call'
import type { AnswerEvent } from '../core/neutral/events'
import { aCall, joinDeltas, noSampling } from '../core/neutral/test/fixtures'
import { noUsage } from '../core/usage'
import { zhipuChatCodec as codec } from './zhipu-chat'

const dialect = dialects['zhipu-chat']
const usage = { prompt_tokens: 5, completion_tokens: '3', total_tokens: 8 }
const answer = {
  code: 200,
  msg: '操作成功',
  success: true,
  data: {
    request_id: 'r',
    task_id: 't1',
    task_status: 'SUCCESS',
    choices: [{ role: 'assistant', content: '" Hi \\"you\\"\\nthere"' }],
    usage,
  },
}

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

describe('a request', () => {
  test('gives instructions a turn with consent, and lets user and model alternate', () => {
    const { body, warnings } = writeCall({
      isStream: true,
      messages: [
        { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'there' }] },
        { role: 'assistant', parts: [{ kind: 'text', text: 'Hello.' }] },
        { role: 'user', parts: [{ kind: 'text', text: 'bye' }] },
      ],
      sampling: { ...noSampling, temperature: 0, topP: 1 },
    })
    expect(body).toEqual({
      prompt: [
        { role: 'user', content: 'Be brief.' },
        { role: 'assistant', content: 'Okay.' },
        { role: 'user', content: 'hi\n\nthere' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'bye' },
      ],
      temperature: 0.01,
      top_p: 0.99,
      incremental: true,
    })
    expect(warnings).toEqual([])
  })

  test('warns of what the vendor cannot be told', () => {
    const { body, warnings } = writeCall({
      tools: [{ kind: 'function', name: 'f', description: '', schema: {}, isStrict: null }],
      sampling: { ...noSampling, maxTokens: 5, choices: 2 },
      output: { kind: 'json' },
    })
    expect(body).toEqual({ prompt: [{ role: 'user', content: 'hi' }] })
    expect(warnings).toEqual(['max_tokens', 'more than one choice', 'tools', 'the format of the answer'])
  })
})

describe('an answer', () => {
  const counted = { ...noUsage, promptTokens: 5, completionTokens: 3 }
  const createAnswerEvents = (id: string, text: string, rawReason: string): AnswerEvent[] => [
    { type: 'answer-start', id, model: '', createdAt: 0 },
    { type: 'block-start', choice: 0, block: 0, of: { kind: 'text' } },
    { type: 'block-delta', choice: 0, block: 0, delta: { kind: 'text', text } },
    { type: 'block-end', choice: 0, block: 0 },
    { type: 'choice-end', choice: 0, reason: 'stop', rawReason, stopSequence: null },
    { type: 'usage', usage: counted },
    { type: 'answer-end' },
  ]

  test('a whole text is taken out of its quotes', () => {
    expect(codec.readAnswer(answer)).toEqual(createAnswerEvents('t1', ' Hi "you"\nthere', ''))
    const broken = { ...answer, data: { ...answer.data, choices: [{ content: '"a "b" c"' }] } }
    expect(dialect.readAnswer(broken).completionText()).toBe('a "b" c')
    expect(dialect.readAnswer(answer)).toMatchObject({ usage: counted, error: null, isEmpty: false })
  })

  test('a stream is read from its events, with the usage of the last one', () => {
    const meta = { task_id: 't1', request_id: 'r', task_status: 'SUCCESS', usage }
    expect(
      read({ event: 'add', data: 'Hi ' }, { event: 'add', data: 'there' }, { event: 'finish', data: '', meta }),
    ).toEqual(createAnswerEvents('', 'Hi there', 'finish'))
  })

  test('an interrupted stream ends for the filter', () => {
    expect(read({ event: 'add', data: 'Hi' }, { event: 'interrupted', data: 'No.' })).toContainEqual({
      type: 'choice-end',
      choice: 0,
      reason: 'content-filter',
      rawReason: 'interrupted',
      stopSequence: null,
    })
  })

  test.each([
    [
      { event: 'error', data: '{"code":1302,"msg":"Too many.","success":false}' },
      { code: '1302', message: 'Too many.' },
    ],
    [
      { event: 'error', data: 'Broken.' },
      { code: '', message: 'Broken.' },
    ],
    [
      { code: 1261, msg: 'Too long.', success: false },
      { code: '1261', message: 'Too long.' },
    ],
  ])('%j fails the stream', (event, error) => {
    expect(read({ event: 'add', data: 'Hi' }, event, { event: 'add', data: 'x' }).at(-1)).toMatchObject({
      type: 'failure',
      error,
    })
  })

  test('a failure with status 200 is read with its code', () => {
    const failed = { code: 1002, msg: 'Authorization Token非法', success: false }
    expect(dialect.readAnswer(failed).error).toMatchObject({ code: '1002', message: 'Authorization Token非法' })
  })

  test('a stream that is cut off has no end', () => {
    expect(read({ event: 'add', data: 'Hi' }).map(({ type }) => type)).toEqual([
      'answer-start',
      'block-start',
      'block-delta',
      'block-end',
    ])
  })
})
