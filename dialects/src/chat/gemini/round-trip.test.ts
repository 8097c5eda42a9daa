import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { Message, Part, ToolCallPart } from '../../core/neutral/call'
import type { AnswerEvent, BlockKind, Delta } from '../../core/neutral/events'
import { aCall, anAnswering, joinDeltas } from '../../core/neutral/test/fixtures'
import { readInPieces, shares, writeStream } from '../../core/neutral/test/streams'
import { noUsage } from '../../core/usage'
import { geminiCodec as codec } from './codec'

const pathContext = { model: 'gemini-2.5-pro', isStream: false }
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
const createTextDelta = (value: string): Delta => ({ kind: 'text', text: value })
const createSignatureDelta = (signature: string): Delta => ({ kind: 'signature', signature })
const args = fc.dictionary(text, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }).map((value) => JSON.stringify(value))

const anyTextBlock = (kind: 'text' | 'thinking') =>
  fc.tuple(fc.constant<BlockKind>({ kind }), fc.array(text.map(createTextDelta), { minLength: 1, maxLength: 4 }))
const signedThought = fc.tuple(
  fc.constant<BlockKind>({ kind: 'thinking' }),
  fc.tuple(text.map(createTextDelta), text.map(createSignatureDelta)),
)
const alone = fc.tuple(fc.constant<BlockKind>({ kind: 'redacted-thinking' }), fc.tuple(text.map(createSignatureDelta)))
const drawn = fc.tuple(
  fc.constant<BlockKind>({ kind: 'media' }),
  fc.base64String({ minLength: 4 }).map((data): Delta[] => [{ kind: 'media', mime: 'image/png', data }]),
)
const called = fc.tuple(
  fc.record({ kind: fc.constant('tool-call' as const), id: fc.uuid(), name: fc.stringMatching(/^\w{1,9}$/) }),
  fc.oneof(
    args.map((json) => [createTextDelta(json)]),
    fc.tuple(text.map(createSignatureDelta), args.map(createTextDelta)),
  ),
)
const anyBlocks = fc.array(
  fc.oneof(anyTextBlock('text'), anyTextBlock('thinking'), signedThought, alone, drawn, called),
  {
    maxLength: 6,
  },
)

/** Neighbours of a kind are one in this dialect, unless the first is signed. */
const isApart = (blocks: readonly (readonly [BlockKind, readonly Delta[]])[]): boolean =>
  blocks.every(([of, deltas], at) => {
    const next = blocks[at + 1]?.[0].kind
    return of.kind !== next || (of.kind !== 'text' && (of.kind !== 'thinking' || deltas.at(-1)?.kind === 'signature'))
  })

const anyAnswer = fc.array(anyBlocks.filter(isApart), { minLength: 1, maxLength: 2 }).map((choices): AnswerEvent[] => [
  { type: 'answer-start', id: 'r1', model: 'claude-x', createdAt: 0 },
  ...choices.flatMap((blocks, choice): AnswerEvent[] =>
    blocks.flatMap(([of, deltas], block): AnswerEvent[] => [
      { type: 'block-start', choice, block, of },
      ...deltas.map((delta): AnswerEvent => ({ type: 'block-delta', choice, block, delta })),
      { type: 'block-end', choice, block },
    ]),
  ),
  ...choices.map((_blocks, choice): AnswerEvent => ({
    type: 'choice-end',
    choice,
    reason: 'length',
    rawReason: 'MAX_TOKENS',
    stopSequence: null,
  })),
  { type: 'usage', usage: { ...noUsage, promptTokens: 5, completionTokens: 6, cachedTokens: 2, reasoningTokens: 1 } },
  { type: 'answer-end' },
])

/** The same for each choice by itself: what several say at once may come in any order. */
function splitByChoice(events: readonly AnswerEvent[]) {
  const own = (choice: number) =>
    joinDeltas(events.filter((event) => 'choice' in event && event.choice === choice)).filter(
      ({ type }) => type !== 'usage',
    )
  return [own(0), own(1), events[0], joinDeltas(events.filter(({ type }) => type === 'usage')).at(-1), events.at(-1)]
}

test('an answer that is written reads back the same, streamed or whole, however it was cut', () => {
  fc.assert(
    fc.property(anyAnswer, shares, fc.integer({ min: 1, max: 700 }), (events, parts, size) => {
      expect(splitByChoice(readInPieces(codec, writeStream(codec, events, parts), size))).toEqual(splitByChoice(events))
      expect(splitByChoice(codec.readAnswer(codec.writeAnswer(events, anAnswering())))).toEqual(splitByChoice(events))
    }),
    { numRuns: 200 },
  )
})

const textPart = text.map((value): Part => ({ kind: 'text', text: value }))
const thinkingPart = text.map((value): Part => ({ kind: 'thinking', text: value }))
const signaturePart = text.map((signature): Part => ({ kind: 'thinking', text: '', signature, isRedacted: true }))
const callPart = fc
  .tuple(args, fc.option(text, { nil: undefined }))
  .map(([argumentsText, signature]): ToolCallPart => ({
    kind: 'tool-call',
    id: '',
    name: 'f',
    argumentsText,
    ...(signature !== undefined && { signature }),
  }))
const imagePart = fc
  .base64String({ minLength: 4 })
  .map((data): Part => ({ kind: 'image', source: { kind: 'data', data, mime: 'image/png' } }))
const resultText = text.filter((value) => !value.trimStart().startsWith('{'))

const anyTurn = fc
  .tuple(
    fc.array(fc.oneof(textPart, imagePart), { minLength: 1, maxLength: 3 }),
    fc.array(thinkingPart, { maxLength: 1 }),
    fc.array(textPart, { maxLength: 1 }),
    fc.array(signaturePart, { maxLength: 1 }),
    fc.array(fc.tuple(callPart, resultText, fc.boolean()), { minLength: 1, maxLength: 3 }),
  )
  .map(([requested, thoughts, texts, signatures, calls]) => ({
    asked: requested,
    said: [...thoughts, ...texts, ...signatures],
    calls,
  }))

/** A talk with ids as a reader makes them up: from the places of the calls. */
const anyConversation = fc.array(anyTurn, { minLength: 1, maxLength: 3 }).map((turns): Message[] =>
  turns.flatMap(({ asked: requested, said: words, calls }, turn): Message[] => {
    const ids = calls.map((_call, at) => `call_${turn * 2 + 1}_${words.length + at}`)
    const before = turn === 0 ? [] : (turns[turn - 1]?.calls ?? [])
    const beforeWords = turns[turn - 1]?.said.length ?? 0
    const results = before.map(([, value, isError], at): Part => ({
      kind: 'tool-result',
      callId: `call_${turn * 2 - 1}_${beforeWords + at}`,
      name: 'f',
      parts: [{ kind: 'text', text: value }],
      isError,
    }))
    return [
      { role: 'user', parts: [...results, ...requested] },
      {
        role: 'assistant',
        parts: [...words, ...calls.map(([part], at): Part => ({ ...part, id: ids[at] ?? '' }))],
      },
    ]
  }),
)

test('a talk that is written reads back with all it says, in order', () => {
  fc.assert(
    fc.property(anyConversation, (messages) => {
      const body = codec.writeCall(aCall({ model: 'gemini-2.5-pro', messages }), () => {})
      expect(codec.readCall(JSON.parse(JSON.stringify(body)), pathContext).messages).toEqual(messages)
    }),
    { numRuns: 150 },
  )
})
