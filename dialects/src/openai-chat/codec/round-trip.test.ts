import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { AnswerEvent } from '../../neutral/events'
import { aCall, anAnswering, joined } from '../../neutral/test/fixtures'
import { SseFrames } from '../../sse-frames'
import { serverEvent } from '../../translation/server-event'
import { openAiChatCodec as codec } from './codec'
import { anyAnswer, anyTurn } from './test/arbitraries'

const place = { model: '', isStream: false }

function written(events: readonly AnswerEvent[], sizes: readonly number[]): string {
  const writer = codec.createWriter(anAnswering())
  let out = ''
  for (let at = 0, turn = 0; at < events.length; turn += 1)
    out += writer.write(events.slice(at, (at += sizes[turn % sizes.length] ?? 1)))
  return out
}

/** As the relay reads: bytes in pieces, cut into server-sent events. */
function readBytes(stream: string, size: number): AnswerEvent[] {
  const bytes = new TextEncoder().encode(stream)
  const frames = new SseFrames()
  const reader = codec.createReader()
  const events: AnswerEvent[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const read = frames.push(bytes.subarray(at, at + size))
    if (read === null) continue
    let start = read.start
    for (const end of read.ends) {
      const event = serverEvent(new TextDecoder().decode(read.bytes.subarray(start, end)))
      if (event) events.push(...reader.read(event))
      start = end
    }
  }
  return [...events, ...reader.end()]
}

const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 })

test('an answer that is written reads back the same, streamed or whole, however it was cut', () => {
  fc.assert(
    fc.property(anyAnswer, sizes, fc.integer({ min: 1, max: 700 }), (events, parts, size) => {
      const stream = written(events, parts)
      expect(stream).toBe(written(events, [events.length]))
      expect(joined(readBytes(stream, size))).toEqual(joined(events))
      expect(joined(codec.readAnswer(codec.writeAnswer(events, anAnswering())))).toEqual(joined(events))
    }),
    { numRuns: 500 },
  )
}, 20_000)

test('a talk that is written reads back with all it says, in order', () => {
  fc.assert(
    fc.property(fc.array(anyTurn, { minLength: 1, maxLength: 4 }), (turns) => {
      const messages = turns.flat()
      const body = codec.writeCall(aCall({ model: 'google/gemini-3-pro', messages }), () => {})
      expect(codec.readCall(JSON.parse(JSON.stringify(body)), place).messages).toEqual(messages)
    }),
    { numRuns: 300 },
  )
})
