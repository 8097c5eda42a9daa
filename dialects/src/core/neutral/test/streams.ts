import * as fc from 'fast-check'
import { serverEvent, SseFrames } from '../../streaming/sse-frames'
import type { ChatCodec } from '../codec'
import type { AnswerEvent } from '../events'
import { anAnswering, textWriter } from './fixtures'

/** How many events are given to a writer at once, in turns. */
export const shares = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 })

/** A stream as a client gets it. */
export function writeStream(
  codec: Pick<ChatCodec, 'createWriter' | 'eventText' | 'numberMember'>,
  events: readonly AnswerEvent[],
  shares: readonly number[],
): string {
  const writer = textWriter(codec, anAnswering())
  let out = ''
  for (let at = 0, turn = 0; at < events.length; turn += 1)
    out += writer.write(events.slice(at, (at += shares[turn % shares.length] ?? 1)))
  return out
}

/** As the relay reads: bytes in pieces of this size, cut into server-sent events. */
export function readInPieces(codec: Pick<ChatCodec, 'createReader'>, stream: string, size: number): AnswerEvent[] {
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

/** Returns whether each choice has one block open at a time, blocks are numbered without gaps, and nothing follows the end. */
export function isOrderly(events: readonly AnswerEvent[]): boolean {
  const choices = new Map<number, { open: number; next: number }>()
  for (const [at, event] of events.entries()) {
    if ((event.type === 'answer-end' || event.type === 'failure') && at < events.length - 1) return false
    if (!('block' in event)) continue
    const choice = choices.get(event.choice) ?? { open: -1, next: 0 }
    choices.set(event.choice, choice)
    if (event.type === 'block-start') {
      if (choice.open >= 0 || event.block !== choice.next) return false
      choice.open = choice.next
      choice.next += 1
    } else {
      if (event.block !== choice.open) return false
      if (event.type === 'block-end') choice.open = -1
    }
  }
  return events.at(-1)?.type === 'failure' || [...choices.values()].every(({ open }) => open < 0)
}
