import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { aCall, anAnswering, joinDeltas } from '../../core/neutral/test/fixtures'
import { readInPieces, shares, writeStream } from '../../core/neutral/test/streams'
import { openAiChatCodec as codec } from './codec'
import { anyAnswer, anyTurn } from './test/arbitraries'

const pathContext = { model: '', isStream: false }

test('an answer that is written reads back the same, streamed or whole, however it was cut', () => {
  fc.assert(
    fc.property(anyAnswer, shares, fc.integer({ min: 1, max: 700 }), (events, parts, size) => {
      const stream = writeStream(codec, events, parts)
      expect(stream).toBe(writeStream(codec, events, [events.length]))
      expect(joinDeltas(readInPieces(codec, stream, size))).toEqual(joinDeltas(events))
      expect(joinDeltas(codec.readAnswer(codec.writeAnswer(events, anAnswering())))).toEqual(joinDeltas(events))
    }),
    { numRuns: 200 },
  )
}, 120_000)

test('a talk that is written reads back with all it says, in order', () => {
  fc.assert(
    fc.property(fc.array(anyTurn, { minLength: 1, maxLength: 4 }), (turns) => {
      const messages = turns.flat()
      const body = codec.writeCall(aCall({ model: 'google/gemini-3-pro', messages }), () => {})
      expect(codec.readCall(JSON.parse(JSON.stringify(body)), pathContext).messages).toEqual(messages)
    }),
    { numRuns: 150 },
  )
})
