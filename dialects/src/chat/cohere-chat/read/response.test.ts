import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { dialects } from '../../../dialects'
import type { JsonObject } from '../../../core/json'
import type { AnswerEvent } from '../../../core/neutral/events'
import { joinDeltas } from '../../../core/neutral/test/fixtures'
import { readInPieces } from '../../../core/neutral/test/streams'
import { noUsage } from '../../../core/usage'
import { cohereChatCodec as codec } from '../codec'

const dialect = dialects['cohere-chat']
const usage = { billed_units: { input_tokens: 5, output_tokens: 7 }, tokens: { input_tokens: 71, output_tokens: 9 } }
const counted = { ...noUsage, promptTokens: 5, completionTokens: 7 }

/** In the form of the vendor's streams. */
const streamOf = (events: readonly JsonObject[]): string =>
  events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('')

const read = (events: readonly JsonObject[]): AnswerEvent[] => {
  const reader = codec.createReader()
  return [
    ...events.flatMap((event) => reader.read({ name: String(event['type']), data: JSON.stringify(event) })),
    ...reader.end(),
  ]
}

const content = (index: number, kind: 'text' | 'thinking', ...pieces: string[]): JsonObject[] => [
  { type: 'content-start', index, delta: { message: { content: { type: kind, [kind]: '' } } } },
  ...pieces.map((piece) => ({ type: 'content-delta', index, delta: { message: { content: { [kind]: piece } } } })),
  { type: 'content-end', index },
]
const plan = (piece: string): JsonObject => ({ type: 'tool-plan-delta', delta: { message: { tool_plan: piece } } })
const createCallEvents = (index: number, id: string, name: string, ...pieces: string[]): JsonObject[] => [
  {
    type: 'tool-call-start',
    index,
    delta: { message: { tool_calls: { id, type: 'function', function: { name, arguments: '' } } } },
  },
  ...pieces.map((piece) => ({
    type: 'tool-call-delta',
    index,
    delta: { message: { tool_calls: { function: { arguments: piece } } } },
  })),
  { type: 'tool-call-end', index },
]
const start: JsonObject = {
  type: 'message-start',
  id: 'c14c80c3',
  delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
}
const ending = (finish_reason: string): JsonObject => ({ type: 'message-end', delta: { finish_reason, usage } })
const source = {
  type: 'tool',
  id: 'w1:0',
  tool_output: { title: 'Weather', url: 'https://x/w', snippet: 'It rains.' },
}
const citation = { start: 0, end: 4, text: 'Rain', sources: [source], type: 'TEXT_CONTENT', content_index: 1 }

const answerStart: AnswerEvent = { type: 'answer-start', id: 'c14c80c3', model: '', createdAt: 0 }
const createEndEvents = (reason: 'stop' | 'tool-calls', rawReason: string): AnswerEvent[] => [
  { type: 'choice-end', choice: 0, reason, rawReason, stopSequence: null },
  { type: 'usage', usage: counted },
  { type: 'answer-end' },
]
const block = (
  number: number,
  of: Extract<AnswerEvent, { type: 'block-start' }>['of'],
  text: string,
): AnswerEvent[] => [
  { type: 'block-start', choice: 0, block: number, of },
  { type: 'block-delta', choice: 0, block: number, delta: { kind: 'text', text } },
  { type: 'block-end', choice: 0, block: number },
]

describe('a stream', () => {
  test('reads thoughts, text and citations', () => {
    const events = [
      start,
      ...content(0, 'thinking', 'H', 'm.'),
      ...content(1, 'text', 'Ra', 'in.').slice(0, -1),
      { type: 'citation-start', index: 0, delta: { message: { citations: citation } } },
      { type: 'citation-end', index: 0 },
      { type: 'content-end', index: 1 },
      ending('COMPLETE'),
    ]
    const [startEvent, deltaEvent, ended] = block(1, { kind: 'text' }, 'Rain.')
    const cited: AnswerEvent = {
      type: 'block-delta',
      choice: 0,
      block: 1,
      delta: {
        kind: 'citation',
        citation: {
          start: 0,
          end: 4,
          url: 'https://x/w',
          title: 'Weather',
          quote: 'It rains.',
          own: { dialect: 'cohere-chat', value: citation },
        },
      },
    }
    expect<(AnswerEvent | undefined)[]>(joinDeltas(read(events))).toEqual([
      answerStart,
      ...block(0, { kind: 'thinking' }, 'Hm.'),
      startEvent,
      deltaEvent,
      cited,
      ended,
      ...createEndEvents('stop', 'COMPLETE'),
    ])
  })

  test('reads a plan and calls, one without arguments', () => {
    const events = [
      start,
      plan('I will '),
      plan('look.'),
      ...createCallEvents(0, 'weather_x', 'weather', '{"city"', ':"Bern"}'),
      ...createCallEvents(1, 'clock_y', 'clock'),
      ending('TOOL_CALL'),
    ]
    expect(joinDeltas(read(events))).toEqual([
      answerStart,
      ...block(0, { kind: 'text' }, 'I will look.'),
      ...block(1, { kind: 'tool-call', id: 'weather_x', name: 'weather' }, '{"city":"Bern"}'),
      ...block(2, { kind: 'tool-call', id: 'clock_y', name: 'clock' }, '{}'),
      ...createEndEvents('tool-calls', 'TOOL_CALL'),
    ])
  })

  test('a stream that is cut off has no end', () => {
    const events = read([start, ...content(0, 'text', 'Ra').slice(0, 2)])
    expect(events.map(({ type }) => type)).toEqual(['answer-start', 'block-start', 'block-delta', 'block-end'])
  })

  test.each([
    ['STOP_SEQUENCE', 'stop-sequence'],
    ['MAX_TOKENS', 'length'],
    ['USER_CANCEL', 'other'],
  ] as const)('a response that ends with %s ends for %s', (rawReason, reason) => {
    expect(read([start, ending(rawReason)])).toContainEqual({
      type: 'choice-end',
      choice: 0,
      reason,
      rawReason,
      stopSequence: null,
    })
  })

  test('a failed stream reports why, and nothing after', () => {
    const end = { type: 'message-end', delta: { finish_reason: 'ERROR', error: 'Broken.' } }
    const events = read([start, ...content(0, 'text', 'Ra').slice(0, 2), end, ...content(1, 'text', 'x')])
    expect(events.slice(-2)).toEqual([
      { type: 'block-end', choice: 0, block: 0 },
      { type: 'failure', error: { message: 'Broken.', type: '', code: 'ERROR', param: null } },
    ])
    expect(read([start, { type: 'error', message: 'Too many.' }]).at(-1)).toMatchObject({
      type: 'failure',
      error: { message: 'Too many.' },
    })
  })
})

describe('a whole answer', () => {
  const message = {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Rain.' },
    ],
    citations: [citation],
  }
  const answer = { id: 'c14c80c3', message, finish_reason: 'COMPLETE', usage }

  test('a whole response is read like its stream, with citations within their text', () => {
    expect(codec.readAnswer(answer).map(({ type }) => type)).toEqual([
      'answer-start',
      'block-start',
      'block-delta',
      'block-end',
      'block-start',
      'block-delta',
      'block-delta',
      'block-end',
      'choice-end',
      'usage',
      'answer-end',
    ])
  })

  test('tells the gateway its usage, its text and its calls', () => {
    const view = dialect.readAnswer(answer)
    expect(view).toMatchObject({ usage: counted, error: null, toolCalls: 0, isEmpty: false })
    expect(view.completionText()).toBe('Hm.Rain.')
    const calls = [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }]
    expect(dialect.readAnswer({ ...answer, message: { role: 'assistant', tool_calls: calls } })).toMatchObject({
      toolCalls: 1,
      isEmpty: false,
    })
    expect(dialect.readAnswer({ ...answer, message: { role: 'assistant', content: [] } }).isEmpty).toBe(true)
  })

  test('a usage without billed units falls back to counted tokens, cache included', () => {
    const { tokens } = usage
    expect(dialect.readAnswer({ ...answer, usage: { tokens, cached_tokens: 60 } }).usage).toEqual({
      ...noUsage,
      promptTokens: 71,
      completionTokens: 9,
      cachedTokens: 60,
    })
    expect(dialect.readAnswer({ ...answer, usage: { ...usage, cached_tokens: 60 } }).usage?.cachedTokens).toBe(5)
  })

  test('an error body is read as a failure', () => {
    expect(dialect.readAnswer({ message: 'invalid api token' }).error?.message).toBe('invalid api token')
    expect(dialect.readAnswer({ ...answer, finish_reason: 'TIMEOUT' }).error).toMatchObject({ code: 'TIMEOUT' })
    expect(dialect.readError(401, '{"message":"invalid api token"}').message).toBe('invalid api token')
  })
})

test('a tap hears what the stream says and hands it on untouched', () => {
  const stream = streamOf([
    start,
    ...content(0, 'text', 'Rain.'),
    ...createCallEvents(0, 'a', 'f', '{}'),
    ending('TOOL_CALL'),
  ])
  for (const size of [1, 10_000]) {
    const tap = dialect.createTap({ swallowUsage: false, addUsage: false })
    const out: Uint8Array[] = []
    const bytes = Buffer.from(stream)
    for (let at = 0; at < bytes.length; at += size) out.push(tap.push(bytes.subarray(at, at + size)))
    tap.end()
    expect(Buffer.concat([...out, tap.finish(null)]).toString()).toBe(stream)
    expect(tap).toMatchObject({
      usage: counted,
      error: null,
      toolCalls: 1,
      isEmpty: false,
      isDone: true,
      isFinished: true,
    })
    expect(tap).toMatchObject({ events: 8, contentEvents: 2 })
    expect(tap.completionText()).toBe('Rain.f{}')
  }
})

const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 4 })
const anyAnswer = fc.record({
  items: fc.array(fc.tuple(fc.constantFrom('text' as const, 'thinking' as const), pieces), { maxLength: 3 }),
  planned: fc.option(pieces),
  calls: fc.array(fc.record({ id: fc.uuid(), args: fc.dictionary(fc.string(), fc.jsonValue()) }), { maxLength: 3 }),
})

test('a stream says what the whole answer says, wherever its bytes were cut', () => {
  fc.assert(
    fc.property(anyAnswer, fc.integer({ min: 1, max: 300 }), ({ items, planned, calls }, size) => {
      const texts = calls.map(({ args }) => JSON.stringify(args))
      const stream = streamOf([
        start,
        ...(planned ?? []).map(plan),
        ...items.flatMap(([kind, all], index) => content(index, kind, ...all)),
        ...calls.flatMap(({ id }, index) =>
          createCallEvents(index, id, 'f', ...(texts[index]?.match(/[^]{1,5}/g) ?? [])),
        ),
        ending('COMPLETE'),
      ])
      const message = {
        role: 'assistant',
        ...(planned && { tool_plan: planned.join('') }),
        content: items.map(([kind, all]) => ({ type: kind, [kind]: all.join('') })),
        tool_calls: calls.map(({ id }, index) => ({
          id,
          type: 'function',
          function: { name: 'f', arguments: texts[index] },
        })),
      }
      const whole = codec.readAnswer({ id: 'c14c80c3', message, finish_reason: 'COMPLETE', usage })
      expect(joinDeltas(readInPieces(codec, stream, size))).toEqual(joinDeltas(whole))
    }),
    { numRuns: 300 },
  )
})
