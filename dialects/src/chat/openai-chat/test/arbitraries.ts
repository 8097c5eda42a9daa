import * as fc from 'fast-check'

import type { Message, Part } from '../../../core/neutral/call'
import type { AnswerEvent, BlockKind, Delta } from '../../../core/neutral/events'
import { noUsage } from '../../../core/usage'

const text = fc.string({ unit: 'grapheme', minLength: 1 })
const createTextDelta = (value: string): Delta => ({ kind: 'text', text: value })
const createSignatureDelta = (signature: string): Delta => ({ kind: 'signature', signature })

/** The blocks of a choice in the order the dialect has for them; texts are one. */
const thought = fc.oneof(
  fc.tuple(
    fc.constant<BlockKind>({ kind: 'thinking' }),
    fc.tuple(text.map(createTextDelta), text.map(createSignatureDelta)),
  ),
  fc.tuple(
    fc.constant<BlockKind>({ kind: 'thinking', isSummary: true, id: 'rs_1' }),
    fc.tuple(text.map(createTextDelta)),
  ),
  fc.tuple(fc.constant<BlockKind>({ kind: 'redacted-thinking' }), fc.tuple(text.map(createSignatureDelta))),
)
const spoken = fc.tuple(
  fc.constant<BlockKind>({ kind: 'text' }),
  fc.array(text.map(createTextDelta), { minLength: 1, maxLength: 4 }),
)
const called = fc.tuple(
  fc.record({ kind: fc.constant('tool-call' as const), id: fc.uuid(), name: fc.stringMatching(/^\w{1,9}$/) }),
  fc.oneof(
    fc.dictionary(text, fc.jsonValue()).map((args) => [createTextDelta(JSON.stringify(args))]),
    fc.tuple(
      text.map(createSignatureDelta),
      fc.dictionary(text, fc.jsonValue()).map((args) => createTextDelta(JSON.stringify(args))),
    ),
  ),
)
const anyChoice = fc
  .tuple(fc.array(thought, { maxLength: 3 }), fc.array(spoken, { maxLength: 1 }), fc.array(called, { maxLength: 3 }))
  .map(([thoughts, texts, calls]) => ({ blocks: [...thoughts, ...texts, ...calls], calls: calls.length }))

/** Answers of one or two choices, each in the order that a whole message has. */
export const anyAnswer = fc.array(anyChoice, { minLength: 1, maxLength: 2 }).map((choices): AnswerEvent[] => [
  { type: 'answer-start', id: 'chatcmpl-1', model: 'claude-x', createdAt: 1_750_000_000 },
  ...choices.flatMap(({ blocks, calls }, choice): AnswerEvent[] => [
    ...blocks.flatMap(([of, deltas], block): AnswerEvent[] => [
      { type: 'block-start', choice, block, of },
      ...deltas.map((delta): AnswerEvent => ({ type: 'block-delta', choice, block, delta })),
      { type: 'block-end', choice, block },
    ]),
    {
      type: 'choice-end',
      choice,
      reason: calls > 0 ? 'tool-calls' : 'length',
      rawReason: calls > 0 ? 'tool_calls' : 'length',
      stopSequence: null,
    },
  ]),
  { type: 'usage', usage: { ...noUsage, promptTokens: 5, completionTokens: 6, cachedTokens: 2, reasoningTokens: 1 } },
  { type: 'answer-end' },
])

const textPart = text.map((value): Part => ({ kind: 'text', text: value }))
const thinkingPart = fc
  .tuple(text, text)
  .map(([value, signature]): Part => ({ kind: 'thinking', text: value, signature }))
const callPart = fc
  .tuple(fc.uuid(), fc.dictionary(text, fc.jsonValue()), fc.option(text, { nil: undefined }))
  .map(([id, args, signature]): Part => ({
    kind: 'tool-call',
    id,
    name: 'f',
    argumentsText: JSON.stringify(args),
    ...(signature !== undefined && { signature }),
  }))
const imagePart = fc
  .base64String({ minLength: 4 })
  .map((data): Part => ({ kind: 'image', source: { kind: 'data', data, mime: 'image/png' } }))
/** A turn of a talk, an answer's parts in the order the dialect has for them. */
export const anyTurn = fc.oneof(
  fc.array(fc.oneof(textPart, imagePart), { minLength: 1 }).map((parts): Message[] => [{ role: 'user', parts }]),
  fc
    .tuple(
      fc.array(thinkingPart, { maxLength: 2 }),
      fc.array(textPart, { maxLength: 1 }),
      fc.array(callPart, { minLength: 1 }),
      text,
    )
    .map(([thoughts, texts, calls, result]): Message[] => [
      { role: 'assistant', parts: [...thoughts, ...texts, ...calls] },
      ...calls.map((call): Message => ({
        role: 'user',
        parts: [
          {
            kind: 'tool-result',
            callId: call.kind === 'tool-call' ? call.id : '',
            name: 'f',
            parts: [{ kind: 'text', text: result }],
            isError: false,
          },
        ],
      })),
    ]),
)
