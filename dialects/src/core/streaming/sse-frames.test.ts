import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { concat, latin1, SseFrames } from './sse-frames'

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'latin1'))

/** A stream of few kinds of bytes, so that line ends of all sorts meet, and places to cut it. */
const stream = fc.string({ unit: fc.constantFrom('a', ':', '\n', '\n', '\r', '\r\n', '\n\n'), maxLength: 60 })
const cuts = fc.array(fc.nat(70), { maxLength: 12 })

function pieces(all: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places.filter((position) => position < all.length))].sort((a, b) => a - b)
  return [0, ...sorted].map((start, index) => all.slice(start, sorted[index] ?? all.length))
}

function eventsOf(chunks: readonly Uint8Array[], limit?: number) {
  const frames = new SseFrames(limit)
  const events: string[] = []
  const passed: Uint8Array[] = []
  for (const chunk of chunks) {
    const read = frames.push(chunk)
    if (!read) continue
    passed.push(read.bytes)
    let start = read.start
    for (const end of read.ends) {
      events.push(read.text.slice(start, end))
      start = end
    }
  }
  return { events, all: latin1(concat([...passed, frames.rest()])) }
}

/** The events of a text by the definition itself: up to and with the first two line ends in a row. */
const byDefinition = (text: string): string[] => text.match(/[^]*?(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/g) ?? []

describe('events of a stream', () => {
  test.each([
    ['data: a\n\n', ['data: a\n\n']],
    ['data: a\r\n\r\ndata: b\r\n\r\n', ['data: a\r\n\r\n', 'data: b\r\n\r\n']],
    ['a\r\rb', ['a\r\r']],
    ['a\n\r\nb\n\n', ['a\n\r\n', 'b\n\n']],
    [': comment\n\ndata: a\nid: 1\n\ndata: cut', [': comment\n\n', 'data: a\nid: 1\n\n']],
    ['data: a', []],
    ['', []],
  ])('frames end where their empty line does: %j', (text, expected) => {
    expect(eventsOf([bytes(text)]).events).toEqual(expected)
  })

  test('a chunk starts between events exactly when none is incomplete', () => {
    const event = bytes('data: a\n\n')
    fc.assert(
      fc.property(stream, cuts, fc.constantFrom(5, 100), (text, places, limit) => {
        const frames = new SseFrames(limit)
        for (const piece of pieces(bytes(text), places)) frames.push(piece)
        const { isBetween } = frames
        const read = frames.push(event)
        const isApart = read?.bytes === event && read.start === 0 && read.ends.join() === '9'
        // One too long to keep may have ended without being known to.
        if (isBetween || limit === 100) expect(isBetween).toBe(isApart)
      }),
      { numRuns: 2000 },
    )
  })

  test('frames do not depend on where the network cuts, and nothing is lost', () => {
    fc.assert(
      fc.property(stream, cuts, (text, places) => {
        const cut = eventsOf(pieces(bytes(text), places))
        expect(cut.all).toBe(text)
        const expected = byDefinition(text)
        // An end in a lone CR is only certain once the next byte is there.
        const isUpToTheEnd = expected.join('') === text
        if (isUpToTheEnd && text.endsWith('\r')) expected.pop()
        expect(cut.events).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  test('an array of whole events comes back as the very same array', () => {
    const frames = new SseFrames()
    const chunk = bytes('data: a\n\ndata: b\n\n')
    expect(frames.push(chunk)?.bytes).toBe(chunk)
    expect(frames.push(chunk)?.bytes).toBe(chunk)
  })

  test('an event beyond the limit goes through uninspected, the next one is whole again', () => {
    const long = `data: ${'x'.repeat(50)}\n\n`
    const text = `data: a\n\n${long}data: b\n\n`
    const chunks = Array.from({ length: text.length }, (_, at) => bytes(text.charAt(at)))
    const { events, all } = eventsOf(chunks, 20)
    expect(all).toBe(text)
    expect(events).toEqual(['data: a\n\n', 'data: b\n\n'])
  })
})
