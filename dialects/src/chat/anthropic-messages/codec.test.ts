import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { AnswerEvent, BlockKind, Delta, FinishReason } from '../../core/neutral/events'
import { noUsage } from '../../core/usage'
import { anAnswering, dataOf, joinDeltas, serverEvents, textWriter } from '../../core/neutral/test/fixtures'
import { fullMessage, fullStream } from './test/fixtures'
import { anthropicMessagesCodec as codec } from './codec'

const readStream = (text: string): AnswerEvent[] => {
  const reader = codec.createReader()
  return [...serverEvents(text).flatMap((event) => reader.read(event)), ...reader.end()]
}
const writeStream = (events: readonly AnswerEvent[], sizes: readonly number[] = [events.length]): string => {
  const writer = textWriter(codec, anAnswering())
  const out: string[] = []
  for (let at = 0, turn = 0; at < events.length; turn += 1) {
    const size = Math.max(sizes[turn % sizes.length] ?? 1, 1)
    out.push(writer.write(events.slice(at, (at += size))))
  }
  return out.join('')
}
const start: AnswerEvent = { type: 'answer-start', id: '', model: 'm', createdAt: 0 }
const block = (number: number, of: BlockKind, ...deltas: readonly Delta[]): AnswerEvent[] => [
  { type: 'block-start', choice: 0, block: number, of },
  ...deltas.map((delta): AnswerEvent => ({ type: 'block-delta', choice: 0, block: number, delta })),
  { type: 'block-end', choice: 0, block: number },
]
const createTextDelta = (text: string): Delta => ({ kind: 'text', text })
const createEndEvents = (reason: FinishReason, stopSequence: string | null = null): AnswerEvent[] => [
  { type: 'choice-end', choice: 0, reason, rawReason: reason, stopSequence },
  { type: 'answer-end' },
]
const withoutUsage = (events: readonly AnswerEvent[]) => events.filter(({ type }) => type !== 'usage')

describe('reading', () => {
  test('a stream tells everything in order', () => {
    const events = joinDeltas(readStream(fullStream))
    expect(events.filter(({ type }) => type === 'block-start')).toMatchObject([
      { block: 0, of: { kind: 'thinking' } },
      { block: 1, of: { kind: 'redacted-thinking' } },
      { block: 2, of: { kind: 'own', value: { type: 'server_tool_use', id: 'srvtoolu_01' } } },
      { block: 3, of: { kind: 'own', value: { type: 'web_search_tool_result' } } },
      { block: 4, of: { kind: 'text' } },
      { block: 5, of: { kind: 'tool-call', id: 'toolu_01', name: 'lookup' } },
      { block: 6, of: { kind: 'tool-call', id: 'toolu_02', name: 'now' } },
    ])
    const deltas = events.flatMap((event) => (event.type === 'block-delta' ? [event.delta] : []))
    expect(deltas).toMatchObject([
      { kind: 'text', text: 'First search.' },
      { kind: 'signature', signature: 'c2lnMQ==' },
      { kind: 'signature', signature: 'cmVkYWN0ZWQ=' },
      { kind: 'own' },
      { kind: 'own' },
      { kind: 'citation', citation: { url: 'https://a.example', title: 'Ice', quote: 'freezes in January' } },
      { kind: 'citation', citation: { title: 'Log', quote: 'January' } },
      { kind: 'text', text: 'It freezes in January.' },
      { kind: 'text', text: '{"place":"harbour","n":[1,2]}' },
      { kind: 'text', text: '{}' },
    ])
    expect(events.slice(-3)).toMatchObject([
      { type: 'choice-end', reason: 'tool-calls', rawReason: 'tool_use', stopSequence: null },
      {
        type: 'usage',
        usage: {
          promptTokens: 137,
          cachedTokens: 100,
          cacheWriteTokens: 10,
          cacheWriteHourTokens: 20,
          completionTokens: 9,
          reasoningTokens: 4,
          toolCalls: { webSearch: 1 },
        },
      },
      { type: 'answer-end' },
    ])
  })

  test('a whole message tells the same, but for what the vendor itself runs', () => {
    const isOwn = (event: AnswerEvent) => event.type === 'block-delta' && event.delta.kind === 'own'
    const shape = (events: readonly AnswerEvent[]) =>
      withoutUsage(joinDeltas(events))
        .filter((event) => !isOwn(event))
        .map((event) => (event.type === 'block-start' && event.of.kind === 'own' ? event.block : event))
        .sort((one, other) => Number(isCitation(one)) - Number(isCitation(other)))
    const isCitation = (event: unknown) => JSON.stringify(event).includes('"citation"')
    expect(shape(codec.readAnswer(fullMessage))).toEqual(shape(readStream(fullStream)))
    const last = (events: readonly AnswerEvent[]) => events.findLast(({ type }) => type === 'usage')
    expect(last(codec.readAnswer(fullMessage))).toEqual(last(readStream(fullStream)))
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop-sequence'],
    ['max_tokens', 'length'],
    ['tool_use', 'tool-calls'],
    ['refusal', 'refusal'],
    ['pause_turn', 'pause'],
    ['model_context_window_exceeded', 'context-window'],
    ['something_new', 'other'],
  ] as const)('the end %s means %s', (stop_reason, reason) => {
    const message = { ...fullMessage, content: [], stop_reason, stop_sequence: 'END' }
    const end = codec.readAnswer(message).find(({ type }) => type === 'choice-end')
    expect(end).toMatchObject({ reason, rawReason: stop_reason, stopSequence: 'END' })
  })

  test('an error ends everything', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    const text = `${fullStream.split('event: ping')[0]}event: error\ndata: ${JSON.stringify(error)}\n\n${fullStream}`
    const failure = readStream(text).at(-1)
    expect(failure).toEqual({
      type: 'failure',
      error: { type: 'overloaded_error', message: 'Overloaded', code: '', param: null },
    })
    expect(codec.readAnswer(error)).toEqual([failure as AnswerEvent])
  })

  test('a stream that breaks off closes its block and tells no end', () => {
    const cut = readStream(fullStream.slice(0, fullStream.indexOf('event: content_block_delta', 900)))
    expect(cut.at(-1)?.type).toBe('block-end')
    expect(cut.some(({ type }) => type === 'choice-end' || type === 'answer-end')).toBe(false)
  })

  test('a follower that announces no blocks and types no data is understood', () => {
    const events = readStream(
      'event: content_block_delta\ndata: {"index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}\n\n' +
        'data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a"}}\n\n',
    )
    expect(events).toEqual([
      ...block(0, { kind: 'thinking' }, createTextDelta('hm')),
      ...block(1, { kind: 'text' }, createTextDelta('a')),
    ])
  })
})

describe('writing', () => {
  test('what was read is written as it came', () => {
    const written = dataOf(writeStream(readStream(fullStream)))
    const expected = dataOf(fullStream).filter(({ type }) => type !== 'ping')
    expect(written.map(({ type, index }) => [type, index])).toEqual(
      expected
        .filter(({ delta }) => !JSON.stringify(delta ?? '').includes('"partial_json":""'))
        .flatMap((event, at, all) =>
          // Arguments that the vendor left empty are said.
          event['type'] === 'content_block_stop' && event['index'] === 6 && all[at - 1]?.['index'] === 6
            ? [
                ['content_block_delta', 6],
                ['content_block_stop', 6],
              ]
            : [[event['type'], event['index']]],
        ),
    )
    expect(codec.writeAnswer(codec.readAnswer(fullMessage), anAnswering())).toEqual({
      ...fullMessage,
      model: 'claude-x',
    })
  })

  test('a whole message is what its stream adds up to, and reads back', () => {
    const events = readStream(fullStream)
    expect(codec.writeAnswer(events, anAnswering())).toEqual({ ...fullMessage, model: 'claude-x' })
    expect(withoutUsage(joinDeltas(readStream(writeStream(events))))).toEqual(
      withoutUsage(joinDeltas(events)).map((event) =>
        event.type === 'answer-start' ? { ...event, model: 'claude-x' } : event,
      ),
    )
  })

  test('the start tells a usage that comes with it, the end the last one', () => {
    const usage = { ...noUsage, promptTokens: 9, cachedTokens: 4, completionTokens: 1 }
    const events = [start, { type: 'usage', usage }, ...createEndEvents('stop')] satisfies AnswerEvent[]
    expect(dataOf(writeStream(events))).toMatchObject([
      { type: 'message_start', message: { id: 'msg_new1', usage: { input_tokens: 5, cache_read_input_tokens: 4 } } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ])
  })

  test('blocks of others leave no gap', () => {
    const events = [
      start,
      ...block(0, { kind: 'own', dialect: 'gemini', value: {} }),
      ...block(1, { kind: 'media' }, { kind: 'media', mime: 'image/png', data: 'AA' }),
      ...block(2, { kind: 'redacted-thinking' }),
      ...block(3, { kind: 'refusal' }, createTextDelta('No.')),
      { type: 'block-start', choice: 1, block: 0, of: { kind: 'text' } },
      { type: 'block-delta', choice: 1, block: 0, delta: createTextDelta('other') },
      { type: 'block-end', choice: 1, block: 0 },
      ...block(4, { kind: 'media' }, { kind: 'media', mime: 'audio/wav', data: 'AA', transcript: 'Spoken.' }),
      ...createEndEvents('content-filter'),
    ] satisfies AnswerEvent[]
    expect(codec.writeAnswer(events, anAnswering())).toMatchObject({
      content: [
        { type: 'text', text: 'No.' },
        { type: 'text', text: 'Spoken.' },
      ],
      stop_reason: 'refusal',
    })
    expect(dataOf(writeStream(events)).flatMap(({ index }) => (index === undefined ? [] : [index]))).toEqual([
      0, 0, 0, 1, 1, 1,
    ])
  })

  test('a turn that calls tools says so, whatever its vendor said', () => {
    const events = [
      start,
      ...block(0, { kind: 'tool-call', id: '', name: 'f' }, createTextDelta('{}')),
      ...createEndEvents('stop'),
    ]
    expect(codec.writeAnswer(events, anAnswering())).toMatchObject({
      content: [{ type: 'tool_use', id: 'toolu_new2', name: 'f', input: {} }],
      stop_reason: 'tool_use',
    })
  })

  test('an answer without an end has no reason, a stop sequence is named', () => {
    expect(codec.writeAnswer([start, { type: 'answer-end' }], anAnswering())).toMatchObject({ stop_reason: null })
    expect(codec.writeAnswer([start, ...createEndEvents('stop-sequence', 'END')], anAnswering())).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    })
  })

  test("a call's foreign signature rides in its id and comes back with the next request", () => {
    const call: BlockKind = { kind: 'tool-call', id: 'call.ä', name: 'f' }
    const events = [
      start,
      ...block(0, call, { kind: 'signature', signature: 'a+/b=' }, createTextDelta('{"a":1}')),
      ...createEndEvents('tool-calls'),
    ]
    const message = codec.writeAnswer(events, anAnswering())
    const [used] = message['content'] as { id: string }[]
    expect(used?.id).toMatch(/^[\w-]+$/)
    const next = {
      model: 'm',
      max_tokens: 5,
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: message['content'] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: used?.id, content: 'ice' }] },
      ],
    }
    const [, answer, result] = codec.readCall(next, { model: '', isStream: false }).messages
    expect(answer?.parts).toMatchObject([{ kind: 'tool-call', signature: 'a+/b=', argumentsText: '{"a":1}' }])
    const [part] = answer?.parts ?? []
    expect(result?.parts).toMatchObject([
      { kind: 'tool-result', callId: part?.kind === 'tool-call' && part.id, name: 'f' },
    ])
  })

  test('free text becomes the input of a call, broken JSON stays readable', () => {
    const custom: BlockKind = { kind: 'tool-call', id: 'a', name: 'f', isCustom: true }
    const content = (events: AnswerEvent[]) =>
      codec.writeAnswer([start, ...events, ...createEndEvents('stop')], anAnswering())['content']
    expect(content(block(0, custom, createTextDelta('ls '), createTextDelta('-l')))).toMatchObject([
      { input: { input: 'ls -l' } },
    ])
    const plain: BlockKind = { kind: 'tool-call', id: 'a', name: 'f' }
    expect(content(block(0, plain, createTextDelta('{"a"')))).toMatchObject([{ input: { input: '{"a"' } }])
  })

  test('a stream that ends without a reason has null for it', () => {
    const [delta] = dataOf(writeStream([start, { type: 'answer-end' }])).filter(({ type }) => type === 'message_delta')
    expect(delta).toMatchObject({ delta: { stop_reason: null, stop_sequence: null } })
  })

  test('a failure is the last thing said', () => {
    const error = { message: 'Broken.', type: 'server_error', code: '', param: null }
    const events: AnswerEvent[] = [
      start,
      ...block(0, { kind: 'text' }, createTextDelta('a')),
      { type: 'failure', error },
      ...createEndEvents('stop'),
    ]
    const text = writeStream(events)
    expect(
      text.endsWith('event: error\ndata: {"type":"error","error":{"type":"api_error","message":"Broken."}}\n\n'),
    ).toBe(true)
    expect(codec.writeAnswer(events, anAnswering())).toEqual({
      type: 'error',
      error: { type: 'api_error', message: 'Broken.' },
    })
  })
})

/** Answers of any blocks. */
const text = fc.string({ unit: 'grapheme', minLength: 1 })
const anyBlock = fc.oneof(
  fc.tuple(fc.constant<BlockKind>({ kind: 'text' }), fc.array(text.map(createTextDelta), { minLength: 1 })),
  fc.tuple(
    fc.constant<BlockKind>({ kind: 'thinking' }),
    fc.tuple(
      text.map(createTextDelta),
      text.map((signature): Delta => ({ kind: 'signature', signature })),
    ),
  ),
  fc.tuple(
    fc.constant<BlockKind>({ kind: 'redacted-thinking' }),
    fc.tuple(text.map((signature): Delta => ({ kind: 'signature', signature }))),
  ),
  fc.tuple(
    fc.record({ kind: fc.constant('tool-call' as const), id: fc.stringMatching(/^[\w-]{1,9}$/), name: text }),
    fc.tuple(fc.dictionary(text, fc.jsonValue()).map((input) => createTextDelta(JSON.stringify(input)))),
  ),
)
const anyAnswer = fc.array(anyBlock, { maxLength: 6 }).map((blocks): AnswerEvent[] => [
  { ...start, id: 'msg_1', model: 'claude-x' },
  ...blocks.flatMap(([of, deltas], number) => block(number, of, ...deltas)),
  { type: 'choice-end', choice: 0, reason: 'length', rawReason: 'max_tokens', stopSequence: null },
  {
    type: 'usage',
    usage: { ...noUsage, promptTokens: 5, completionTokens: 6, cachedTokens: 2, cacheWriteTokens: 1 },
  },
  { type: 'answer-end' },
])

test('what is written reads back the same, streamed or whole, however it was cut', () => {
  fc.assert(
    fc.property(anyAnswer, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), (events, sizes) => {
      // A cipher behind the last words is left out.
      fc.pre(events.findLast((event) => event.type === 'block-start')?.of.kind !== 'redacted-thinking')
      const stream = writeStream(events, sizes)
      expect(joinDeltas(readStream(stream))).toEqual(joinDeltas(events))
      expect(stream).toBe(writeStream(events))
      const whole = codec.writeAnswer(events, anAnswering())
      expect(joinDeltas(codec.readAnswer(whole))).toEqual(joinDeltas(events))
      expect(isWellFormed(dataOf(stream))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

/** One block open at a time, numbered without gaps, the end told before the stop. */
function isWellFormed(events: readonly Record<string, unknown>[]): boolean {
  let open: unknown = null
  let next = 0
  for (const { type, index } of events) {
    if (type === 'content_block_start') {
      if (open !== null || index !== next) return false
      open = index
      next += 1
    } else if (type === 'content_block_delta' || type === 'content_block_stop') {
      if (open === null || index !== open) return false
      if (type === 'content_block_stop') open = null
    }
  }
  const types = events.map(({ type }) => type)
  return types[0] === 'message_start' && open === null && types.slice(-2).join() === 'message_delta,message_stop'
}
