import { describe, expect, test } from 'bun:test'

import type { JsonObject } from '../../core/json'
import type { AnswerEvent, BlockKind, Delta, FinishReason } from '../../core/neutral/events'
import { anAnswering, dataOf, joinDeltas, textWriter } from '../../core/neutral/test/fixtures'
import { noUsage } from '../../core/usage'
import { geminiCodec as codec } from './codec'

type Json = Readonly<Record<string, unknown>>
const response = (parts: readonly Json[], candidate: Json = {}, more: Json = {}): JsonObject => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...candidate }],
  modelVersion: 'gemini-3-flash-preview',
  responseId: 'r1',
  ...more,
})
const stop = { finishReason: 'STOP' }
const readStream = (...responses: readonly JsonObject[]): AnswerEvent[] => {
  const reader = codec.createReader()
  return [...responses.flatMap((one) => reader.read({ name: '', data: JSON.stringify(one) })), ...reader.end()]
}
const createTextDelta = (text: string): Delta => ({ kind: 'text', text })
const block = (number: number, of: BlockKind, ...deltas: readonly Delta[]): AnswerEvent[] => [
  { type: 'block-start', choice: 0, block: number, of },
  ...deltas.map((delta): AnswerEvent => ({ type: 'block-delta', choice: 0, block: number, delta })),
  { type: 'block-end', choice: 0, block: number },
]
const start: AnswerEvent = { type: 'answer-start', id: '', model: 'm', createdAt: 0 }
const createEndEvents = (reason: FinishReason, rawReason: string = reason): AnswerEvent[] => [
  { type: 'choice-end', choice: 0, reason, rawReason, stopSequence: null },
  { type: 'answer-end' },
]
const ofType = <T extends AnswerEvent['type']>(events: readonly AnswerEvent[], type: T) =>
  events.filter((event): event is Extract<AnswerEvent, { type: T }> => event.type === type)
const write = (events: readonly AnswerEvent[]): JsonObject => codec.writeAnswer(events, anAnswering())
const candidateOf = (answer: JsonObject): JsonObject => {
  const [candidate]: JsonObject[] = Array.isArray(answer['candidates']) ? answer['candidates'] : []
  return candidate ?? {}
}

describe('an answer that is read', () => {
  const parts = [
    { text: 'hm', thought: true },
    { text: 'Hello' },
    { executableCode: { language: 'PYTHON', code: 'print(1)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
    { inlineData: { mimeType: 'image/png', data: 'AA' } },
    { functionCall: { id: 'f1', name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' },
    { functionCall: { name: 'g' } },
    { text: '', thoughtSignature: 'ZW5k' },
    { toolCall: { id: 'x' } },
  ]
  const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 6, thoughtsTokenCount: 1, totalTokenCount: 12 }

  test('parts of a candidate become events in their order', () => {
    const events = codec.readAnswer(response(parts, stop, { usageMetadata, createTime: '2026-01-01T00:00:00Z' }))
    expect(events[0]).toEqual({
      type: 'answer-start',
      id: 'r1',
      model: 'gemini-3-flash-preview',
      createdAt: 1_767_225_600,
    })
    const call = ofType(events, 'block-start').find(({ block: number }) => number === 4)?.of
    const id = call?.kind === 'tool-call' ? call.id : ''
    expect(id).toMatch(/^call_\w{24}$/)
    const code = '\n```python\nprint(1)\n```\n\n```output\n1\n```\n'
    expect(joinDeltas(events).filter(({ type }) => type.startsWith('block'))).toEqual([
      ...block(0, { kind: 'thinking' }, createTextDelta('hm')),
      ...block(1, { kind: 'text' }, createTextDelta(`Hello${code}`)),
      ...block(2, { kind: 'media' }, { kind: 'media', mime: 'image/png', data: 'AA' }),
      ...block(
        3,
        { kind: 'tool-call', id: 'f1', name: 'f' },
        { kind: 'signature', signature: 'c2ln' },
        createTextDelta('{"a":1}'),
      ),
      ...block(4, { kind: 'tool-call', id, name: 'g' }, createTextDelta('{}')),
      ...block(5, { kind: 'redacted-thinking' }, { kind: 'signature', signature: 'ZW5k' }),
      ...block(6, { kind: 'own', dialect: 'gemini', value: { toolCall: { id: 'x' } } }),
    ])
    expect(events.slice(-3)).toMatchObject([
      { type: 'choice-end', reason: 'tool-calls', rawReason: 'STOP' },
      { type: 'usage', usage: { promptTokens: 5, completionTokens: 7, reasoningTokens: 1 } },
      { type: 'answer-end' },
    ])
  })

  test('a whole response equals its stream, although every piece names a finish reason', () => {
    const early = { usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 } }
    const pieces = parts.map((part) => response([part], stop, early))
    const stream = readStream(...pieces, response([], stop, { usageMetadata }))
    const whole = codec.readAnswer(response(parts, stop, { usageMetadata }))
    const withoutUsage = (events: readonly AnswerEvent[]) => joinDeltas(events.filter(({ type }) => type !== 'usage'))
    expect(withoutUsage(stream)).toEqual(withoutUsage(whole))
    const reported = ofType(stream, 'usage').map(({ usage }) => usage)
    expect(reported.every(({ promptTokens }) => promptTokens === 5)).toBe(true)
    expect(reported.slice(-2).map(({ completionTokens }) => completionTokens)).toEqual([7, 7])
  })

  test('names calls without ids anew in every answer, and the same in the same', () => {
    const idOf = (responseId: string) =>
      ofType(readStream(response([{ functionCall: { name: 'f' } }], stop, { responseId })), 'block-start')[0]?.of
    expect(idOf('r1')).toEqual(idOf('r1'))
    expect(idOf('r1')).not.toEqual(idOf('r2'))
  })

  test('a stream that breaks off has no end', () => {
    const events = readStream(response([{ text: 'a' }]))
    expect(events.at(-1)).toEqual({ type: 'block-end', choice: 0, block: 0 })
    expect(ofType(events, 'choice-end')).toEqual([])
  })

  test('a response to a blocked prompt ends at once', () => {
    const blocked = codec.readAnswer({
      promptFeedback: { blockReason: 'JAILBREAK' },
      usageMetadata: { promptTokenCount: 4 },
    })
    expect(blocked).toMatchObject([
      { type: 'answer-start' },
      { type: 'usage' },
      { type: 'choice-end', reason: 'content-filter', rawReason: 'JAILBREAK' },
      { type: 'usage', usage: { promptTokens: 4 } },
      { type: 'answer-end' },
    ])
    expect(candidateOf(write(blocked))).toEqual({ finishReason: 'SAFETY', index: 0 })
    expect(ofType(codec.readAnswer({ promptFeedback: { block_reason: 'SAFETY' } }), 'choice-end')).toMatchObject([
      { reason: 'content-filter' },
    ])
  })

  test('nothing follows an error', () => {
    const error = { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }
    const events = readStream(response([{ text: 'a' }]), error, response([{ text: 'b' }], stop))
    expect(events.at(-1)).toMatchObject({ type: 'failure', error: { status: 503, message: 'Overloaded' } })
  })

  test('candidates are read independently', () => {
    const events = readStream(
      { candidates: [{ content: { parts: [{ text: 'a' }] }, index: 1 }, { content: { parts: [{ text: 'b' }] } }] },
      { candidates: [{ index: 1, finishReason: 'MAX_TOKENS' }] },
      { candidates: [{ index: 0, finishReason: 'STOP' }] },
    )
    expect(ofType(events, 'choice-end')).toMatchObject([
      { choice: 0, reason: 'stop' },
      { choice: 1, reason: 'length' },
    ])
    expect(ofType(events, 'block-delta')).toHaveLength(2)
  })

  test('converts grounding offsets from bytes to UTF-16 units', () => {
    const groundingMetadata = {
      webSearchQueries: ['q1', 'q2'],
      groundingChunks: [{ web: { uri: 'https://a', title: 'A' } }, { web: { uri: 'https://b', title: 'B' } }],
      groundingSupports: [
        { segment: { startIndex: 0, endIndex: 6, text: 'Héllo' }, groundingChunkIndices: [0, 1] },
        { segment: { startIndex: 99, endIndex: 104, text: 'there' }, groundingChunkIndices: [1] },
      ],
    }
    const usage = { usageMetadata }
    const events = readStream(
      response([{ text: 'Héllo ' }]),
      response([{ text: 'there' }], { groundingMetadata }),
      response([{ text: '' }], { ...stop, groundingMetadata }, usage),
    )
    const citations = ofType(events, 'block-delta').flatMap(({ delta }) =>
      delta.kind === 'citation' ? [delta.citation] : [],
    )
    expect(citations).toEqual([
      { url: 'https://a', title: 'A', start: 0, end: 5 },
      { url: 'https://b', title: 'B', start: 0, end: 5 },
      { url: 'https://b', title: 'B', start: 6, end: 11 },
    ])
    expect(ofType(events, 'usage').at(-1)?.usage.toolCalls).toEqual({ webSearch: 2 })
    const quoted = response([{ text: 'abc' }], {
      ...stop,
      citationMetadata: { citations: [{ startIndex: 1, endIndex: 3, uri: 'https://c', license: 'mit' }] },
    })
    expect(JSON.stringify(codec.readAnswer(quoted))).toContain('{"url":"https://c","start":1,"end":3}')
  })

  test('tells how likely its tokens were', () => {
    const logprobsResult = {
      topCandidates: [{ candidates: [{ token: 'b', logProbability: -2 }] }],
      chosenCandidates: [{ token: 'a', logProbability: -1 }],
    }
    const events = codec.readAnswer(response([{ text: 'a' }], { ...stop, logprobsResult }))
    expect(ofType(events, 'log-probabilities')).toMatchObject([
      { tokens: [{ token: 'a', logProbability: -1, top: [{ token: 'b', logProbability: -2 }] }] },
    ])
    expect(candidateOf(write(events))['logprobsResult']).toEqual(logprobsResult)
  })
})

test.each([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['LANGUAGE', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['OTHER', 'other'],
  ['MALFORMED_FUNCTION_CALL', 'other'],
  ['UNEXPECTED_TOOL_CALL', 'other'],
] as const)('the reason %s is read and written', (finishReason, reason) => {
  const events = codec.readAnswer(response([{ text: 'a' }], { finishReason }))
  expect(ofType(events, 'choice-end')).toMatchObject([{ reason, rawReason: finishReason }])
  expect(candidateOf(write(events))['finishReason']).toBe(finishReason)
})

describe('an answer that is written', () => {
  test.each([
    ['stop-sequence', 'STOP'],
    ['tool-calls', 'STOP'],
    ['pause', 'STOP'],
    ['refusal', 'SAFETY'],
    ['context-window', 'MAX_TOKENS'],
    ['other', 'OTHER'],
  ] as const)('ends by %s with %s', (reason, finishReason) => {
    expect(candidateOf(write([start, ...createEndEvents(reason, 'end_turn')]))['finishReason']).toBe(finishReason)
  })

  const events: readonly AnswerEvent[] = [
    start,
    { type: 'usage', usage: { ...noUsage, promptTokens: 3 } },
    ...block(0, { kind: 'thinking' }, createTextDelta('hm'), { kind: 'signature', signature: 'c2ln' }),
    ...block(1, { kind: 'text' }, createTextDelta('Hé'), createTextDelta('llo'), {
      kind: 'citation',
      citation: { url: 'https://a', title: 'A' },
    }),
    ...block(2, { kind: 'refusal' }, createTextDelta(' no')),
    ...block(3, { kind: 'text' }, createTextDelta('xy'), {
      kind: 'citation',
      citation: { url: 'https://a', start: 1, end: 2 },
    }),
    ...block(4, { kind: 'media' }, { kind: 'media', mime: 'audio/wav', data: 'AA', transcript: 'z' }),
    ...block(
      5,
      { kind: 'tool-call', id: 'call_1', name: 'f' },
      { kind: 'signature', signature: 'Zm4=' },
      createTextDelta('{"a"'),
      createTextDelta(':1}'),
    ),
    ...block(6, { kind: 'tool-call', id: 'call_2', name: 'g' }, createTextDelta('{"a"')),
    ...block(7, { kind: 'tool-call', id: 'call_3', name: 'h', isCustom: true }, createTextDelta('free')),
    ...block(8, { kind: 'own', dialect: 'anthropic-messages', value: { x: 1 } }),
    { type: 'usage', usage: { ...noUsage, promptTokens: 9, completionTokens: 8, reasoningTokens: 3 } },
    ...createEndEvents('tool-calls', 'tool_use'),
  ]

  test('says everything in one response', () => {
    expect(write(events)).toEqual({
      candidates: [
        {
          content: {
            parts: [
              { text: 'hm', thought: true },
              { text: '', thought: true, thoughtSignature: 'c2ln' },
              { text: 'Héllo noxy' },
              { inlineData: { mimeType: 'audio/wav', data: 'AA' } },
              { text: 'z' },
              { functionCall: { id: 'call_1', name: 'f', args: { a: 1 } }, thoughtSignature: 'Zm4=' },
              { functionCall: { id: 'call_2', name: 'g', args: { input: '{"a"' } } },
              { functionCall: { id: 'call_3', name: 'h', args: { input: 'free' } } },
            ],
            role: 'model',
          },
          finishReason: 'STOP',
          groundingMetadata: {
            groundingChunks: [{ web: { uri: 'https://a', title: 'A' } }],
            groundingSupports: [
              { segment: { startIndex: 0, endIndex: 6, text: 'Héllo' }, groundingChunkIndices: [0] },
              { segment: { startIndex: 10, endIndex: 11, text: 'y' }, groundingChunkIndices: [0] },
            ],
          },
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 9,
        candidatesTokenCount: 5,
        totalTokenCount: 17,
        promptTokensDetails: [{ modality: 'TEXT', tokenCount: 9 }],
        thoughtsTokenCount: 3,
      },
      modelVersion: 'claude-x',
      responseId: 'new1',
    })
  })

  test('streams in whole responses, of which the last tells the end and the usage', () => {
    const writer = textWriter(codec, anAnswering())
    const chunks = dataOf(events.map((event) => writer.write([event])).join(''))
    const last = chunks.at(-1)
    expect(chunks.slice(0, -1).every((chunk) => !('usageMetadata' in chunk))).toBe(true)
    expect(last).toMatchObject({
      candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }],
      usageMetadata: { totalTokenCount: 17 },
    })
    expect(new Set(chunks.map((chunk) => chunk['responseId']))).toEqual(new Set(['new1']))
    expect(chunks.flatMap((chunk) => JSON.stringify(chunk).match(/functionCall/g) ?? [])).toHaveLength(3)
    expect(writer.write(events)).toBe('')
  })

  test('a source without an address is left out, and nothing is said after the end', () => {
    const quoted: Delta = { kind: 'citation', citation: { title: 'A book', quote: 'ice' } }
    const late: AnswerEvent = { type: 'usage', usage: { ...noUsage, promptTokens: 99 } }
    const written = write([
      start,
      ...block(0, { kind: 'text' }, createTextDelta('a'), quoted),
      ...createEndEvents('stop'),
      late,
    ])
    expect(candidateOf(written)['groundingMetadata']).toBeUndefined()
    expect(written).toMatchObject({ usageMetadata: { promptTokenCount: 0 } })
  })

  test('a withheld response has no content', () => {
    expect(candidateOf(write([start, ...createEndEvents('content-filter', 'content_filter')]))).toEqual({
      finishReason: 'SAFETY',
      index: 0,
    })
  })

  test('ends with the error of a failure', () => {
    const failure: AnswerEvent = {
      type: 'failure',
      error: { message: 'Busy', type: 'overloaded_error', code: '', param: null },
    }
    const error = { error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }
    expect(write([start, ...block(0, { kind: 'text' }, createTextDelta('a')), failure])).toEqual(error)
    const writer = textWriter(codec, anAnswering())
    expect(dataOf(writer.write([start, ...block(0, { kind: 'text' }, createTextDelta('a')), failure]))).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'a' }] } }] },
      error,
    ])
    expect(writer.write(createEndEvents('stop'))).toBe('')
  })
})
