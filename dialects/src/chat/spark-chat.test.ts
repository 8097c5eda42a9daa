import { describe, expect, test } from 'bun:test'

import { dialects } from '../dialects'
import type { JsonObject } from '../core/json'
import type { NeutralCall } from '../core/neutral/call'
import type { AnswerEvent } from '../core/neutral/events'
import { aCall, joinDeltas, noSampling } from '../core/neutral/test/fixtures'
import { noUsage } from '../core/usage'
import { sparkChatCodec as codec } from './spark-chat'

const dialect = dialects['spark-chat']
const frame = (status: number, text: JsonObject, usage?: JsonObject): JsonObject => ({
  header: { code: 0, message: 'Success', sid: 's1', status },
  payload: { choices: { status, seq: 0, text: [{ role: 'assistant', index: 0, ...text }] }, ...(usage && { usage }) },
})
const usage = { text: { question_tokens: 2, prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 } }
const counted = { ...noUsage, promptTokens: 5, completionTokens: 3 }
const text = (words: string) => [{ kind: 'text', text: words } as const]

function writeCall(change: Partial<NeutralCall>) {
  const warnings: string[] = []
  return { body: codec.writeCall(aCall(change), (what) => warnings.push(what)), warnings }
}

const read = (...frames: readonly JsonObject[]): readonly AnswerEvent[] => {
  const reader = codec.createReader()
  return joinDeltas([...frames.flatMap((one) => reader.read({ name: '', data: JSON.stringify(one) })), ...reader.end()])
}

describe('a request', () => {
  test('holds the talk, the limits within the vendor’s and the functions', () => {
    const { body, warnings } = writeCall({
      model: 'SparkDesk-v3.5',
      messages: [
        { role: 'system', parts: text('Be brief.') },
        { role: 'user', parts: text('Rain?') },
        {
          role: 'assistant',
          parts: [{ kind: 'tool-call', id: 'c1', name: 'weather', argumentsText: '{"city":"Ulm"}' }],
        },
        {
          role: 'user',
          parts: [{ kind: 'tool-result', callId: 'c1', name: 'weather', parts: text('wet'), isError: false }],
        },
      ],
      tools: [
        { kind: 'function', name: 'weather', description: 'Tells it', schema: { type: 'object' }, isStrict: null },
      ],
      sampling: { ...noSampling, temperature: 0, topK: 40, maxTokens: 64 },
      user: 'u'.repeat(40),
    })
    expect(body).toEqual({
      header: { uid: 'u'.repeat(32) },
      parameter: { chat: { domain: 'SparkDesk-v3.5', temperature: 0.01, top_k: 6, max_tokens: 64 } },
      payload: {
        message: {
          text: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Rain?' },
            { role: 'assistant', content: 'weather({"city":"Ulm"})' },
            { role: 'user', content: 'wet' },
          ],
        },
        functions: {
          text: [{ name: 'weather', description: 'Tells it', parameters: { type: 'object', properties: {} } }],
        },
      },
    })
    expect(warnings).toEqual([])
  })

  test('warns of what the vendor has no word for', () => {
    const image = { kind: 'image', source: { kind: 'url', url: 'https://x/y.png' } } as const
    const { body, warnings } = writeCall({
      messages: [
        { role: 'user', parts: [...text('See'), image] },
        { role: 'user', parts: [image] },
      ],
      toolChoice: { kind: 'required' },
      sampling: { ...noSampling, topP: 0.5, presencePenalty: 1, stop: ['x'], seed: 1 },
      output: { kind: 'json' },
    })
    expect(warnings).toEqual([
      'top_p',
      'stop sequences',
      'seed',
      'penalties',
      'the format of the answer',
      'a tool that must be called',
      'pictures, sounds and files',
      'pictures, sounds and files',
    ])
    expect(body['payload']).toEqual({ message: { text: [{ role: 'user', content: 'See' }] } })
  })

  test('gives the model that thinks deeply its own limits', () => {
    const { body, warnings } = writeCall({
      model: 'SparkDesk-x1',
      sampling: { ...noSampling, temperature: 1.5, topP: 0.5, presencePenalty: 1 },
    })
    const chat = { domain: 'SparkDesk-x1', temperature: 1.5, top_p: 0.5, presence_penalty: 1 }
    expect(body['parameter']).toEqual({ chat })
    expect(warnings).toEqual([])
  })
})

describe('an answer', () => {
  const start: AnswerEvent = { type: 'answer-start', id: 's1', model: '', createdAt: 0 }
  const block = (number: number, kind: 'text' | 'thinking', words: string): AnswerEvent[] => [
    { type: 'block-start', choice: 0, block: number, of: { kind } },
    { type: 'block-delta', choice: 0, block: number, delta: { kind: 'text', text: words } },
    { type: 'block-end', choice: 0, block: number },
  ]
  const stop: AnswerEvent = { type: 'choice-end', choice: 0, reason: 'stop', rawReason: 'stop', stopSequence: null }

  test('an answer holds thought, text and usage, streamed or whole', () => {
    const expected: AnswerEvent[] = [
      start,
      ...block(0, 'thinking', 'Hm.'),
      ...block(1, 'text', 'It rains.'),
      stop,
      { type: 'usage', usage: counted },
      { type: 'answer-end' },
    ]
    const pieces = [{ reasoning_content: 'Hm.' }, { content: 'It ' }, { content: 'rains.' }]
    const [thought = {}, first = {}, second = {}] = pieces
    expect(read(frame(0, thought), frame(1, first), frame(2, second, usage))).toEqual(expected)
    const whole = { ...frame(2, {}), payload: { choices: { status: 2, text: pieces }, usage } }
    expect(joinDeltas(codec.readAnswer(whole))).toEqual(expected)
    expect(dialect.readAnswer(whole)).toMatchObject({ usage: counted, error: null, isEmpty: false })
  })

  test('Spark calls a function', () => {
    const events = read(
      frame(2, { content: '', function_call: { name: 'weather', arguments: '{"city":"Ulm"}' } }, usage),
    )
    expect(events).toContainEqual({
      type: 'block-start',
      choice: 0,
      block: 0,
      of: { kind: 'tool-call', id: 'weather', name: 'weather' },
    })
    expect(events).toContainEqual(expect.objectContaining({ type: 'choice-end', reason: 'tool-calls' }))
  })

  test('an answer that is cut off has no end', () => {
    expect(read(frame(0, { content: 'It ' })).map(({ type }) => type)).toEqual([
      'answer-start',
      'block-start',
      'block-delta',
      'block-end',
    ])
  })

  test('tells its failure, and nothing after it', () => {
    const failed = { header: { code: 10_013, message: 'Not allowed', sid: 's1', status: 2 } }
    const error = { message: 'Not allowed', type: '', code: '10013', param: null }
    expect(read(failed, frame(1, { content: 'x' }))).toEqual([{ type: 'failure', error }])
    expect(dialect.readAnswer(failed).error).toEqual(error)
  })
})
