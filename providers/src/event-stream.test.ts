import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { EventStream, type EventMessage } from './event-stream'
import { eventMessage } from './event-stream.fixture'

const read = (chunks: readonly Uint8Array[]): EventMessage[] => {
  const stream = new EventStream()
  const messages: EventMessage[] = []
  for (const chunk of chunks) {
    stream.add(chunk)
    for (let message = stream.next(); message !== null; message = stream.next()) messages.push(message)
  }
  return messages
}

const text = ({ payload }: EventMessage) => new TextDecoder().decode(payload)

describe('a binary stream of events', () => {
  test('a message in the documented form is parsed', () => {
    const bytes = Buffer.from('0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936', 'hex')
    expect(read([bytes]).map(text)).toEqual(["{'foo':'bar'}"])
    expect(read([Buffer.from('000000100000000005c248eb7d98c8ff', 'hex')]).map(text)).toEqual([''])
  })

  test('messages are parsed however the network cuts them', () => {
    const sent = [
      eventMessage({ ':event-type': 'chunk', ':message-type': 'event' }, 'one'),
      eventMessage({}, ''),
      eventMessage({ ':event-type': 'chunk' }, 'Hafen 港口'),
    ]
    const bytes = Buffer.concat(sent)
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 })
    fc.assert(
      fc.property(cuts, (places) => {
        const ends = [...places.sort((a, b) => a - b), bytes.length]
        const messages = read(ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)))
        expect(messages.map(text)).toEqual(['one', '', 'Hafen 港口'])
        expect(messages[0]?.headers.get(':message-type')).toBe('event')
        expect(messages[2]?.headers.size).toBe(1)
      }),
    )
  })

  test('headers of other types than text are skipped', () => {
    const headers = Buffer.concat([
      Buffer.from('\u0001a\u0000', 'latin1'),
      Buffer.from('\u0001b\u0004\u0000\u0000\u0000\u0009', 'latin1'),
      Buffer.from('\u0001c\u0006\u0000\u0002xy', 'latin1'),
      Buffer.from('\u0001d\u0007\u0000\u0001z', 'latin1'),
    ])
    const [message] = read([eventMessage(headers, 'p')])
    expect([...(message?.headers ?? [])]).toEqual([['d', 'z']])
  })

  test('a message with a changed byte is rejected', () => {
    const whole = eventMessage({ ':event-type': 'chunk' }, 'payload')
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Uint8Array.from(whole)
        bytes[at] = (bytes[at] ?? 0) ^ change
        expect(() => read([bytes])).toThrow(RangeError)
      }),
    )
  })

  test('bytes in another form are rejected, and so is a header beyond the end of its message', () => {
    expect(() => read([new TextEncoder().encode('event: ping\ndata: {}\n\n')])).toThrow(RangeError)
    const headers = Buffer.from('\u0001d\u0007\u0000\u0009z', 'latin1')
    expect(() => read([eventMessage(headers, 'p')])).toThrow(RangeError)
  })
})
