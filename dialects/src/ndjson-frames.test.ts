import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { NdjsonFrames } from './ndjson-frames'
import { WholeFrames } from './whole-frames'

interface Frames {
  push(bytes: Uint8Array): Uint8Array
  end(): Uint8Array
}

/** What comes out of a stream that is read in pieces of this size. */
function framed(frames: Frames, text: string, size = 1 << 20): string {
  const bytes = new TextEncoder().encode(text)
  const out: Uint8Array[] = []
  for (let at = 0; at < bytes.length; at += size) out.push(frames.push(bytes.subarray(at, at + size)))
  return Buffer.concat([...out, frames.end()]).toString('utf8')
}

describe('lines of JSON', () => {
  test('become events, whatever ends them', () => {
    expect(framed(new NdjsonFrames(), '{"a":1}\n{"b":"é"}\r\n\n \t\n{"c":3}')).toBe(
      'data: {"a":1}\n\ndata: {"b":"é"}\n\ndata: {"c":3}\n\n',
    )
    expect(framed(new NdjsonFrames(), '')).toBe('')
  })

  test('are the same wherever the bytes were cut', () => {
    const lines = fc.array(
      fc.oneof(
        fc.jsonValue().map((value) => JSON.stringify(value)),
        fc.constant(''),
      ),
    )
    fc.assert(
      fc.property(lines, fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 9 }), (all, ending, size) => {
        const events = all.filter((line) => line !== '').map((line) => `data: ${line}\n\n`)
        expect(framed(new NdjsonFrames(), all.join(ending), size)).toBe(events.join(''))
      }),
    )
  })

  test('that are too long are left out, and only they', () => {
    const long = `"${'x'.repeat(50)}"`
    for (const size of [1, 7, 1000])
      expect(framed(new NdjsonFrames(20), `{"a":1}\n${long}\n{"b":2}\n${long}`, size)).toBe(
        'data: {"a":1}\n\ndata: {"b":2}\n\n',
      )
  })
})

describe('a whole answer', () => {
  test('is one event, its line breaks spaces, wherever the bytes were cut', () => {
    const text = JSON.stringify({ a: 'é\n', b: [1] }, null, 2)
    for (const size of [1, 3, 1000]) {
      const event = framed(new WholeFrames(), `${text}\r\n`, size)
      expect(event).toMatch(/^data: [^\r\n]+\n\n$/)
      expect(JSON.parse(event.slice('data: '.length))).toEqual({ a: 'é\n', b: [1] })
    }
  })

  test('is none when nothing came, or too much', () => {
    expect(framed(new WholeFrames(), '\n')).toBe('')
    expect(framed(new WholeFrames(5), '{"a":1}', 3)).toBe('')
  })
})
