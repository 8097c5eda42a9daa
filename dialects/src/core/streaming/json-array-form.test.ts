import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { JsonArrayForm } from './stream-forms'

function runForm(stream: string, cuts: readonly number[] = []): unknown {
  const form = new JsonArrayForm()
  const bytes = new TextEncoder().encode(stream)
  const places = [0, ...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length]
  const parts = places.slice(1).map((end, index) => form.push(bytes.subarray(places[index], end)).slice())
  return JSON.parse(Buffer.concat([...parts, form.end()]).toString())
}

test('events become the items of an array, comments do not', () => {
  expect(runForm('data: {"a":1}\n\n: PING\n\ndata: {"b":"ü"}\n\n')).toEqual([{ a: 1 }, { b: 'ü' }])
})

test('an event that was not ended is an item too', () => {
  expect(runForm('data: {"a":1}\n\ndata: {"b":2}')).toEqual([{ a: 1 }, { b: 2 }])
})

test('a stream without events becomes an empty array', () => expect(runForm('')).toEqual([]))

test('an array is the same wherever its stream is cut', () => {
  const items = Array.from({ length: 5 }, (_, n) => ({ n, text: 'äöü'.repeat(n) }))
  const stream = items.map((item) => `data: ${JSON.stringify(item)}\r\n\r\n`).join('')
  fc.assert(fc.property(fc.array(fc.nat(300)), (cuts) => expect(runForm(stream, cuts)).toEqual(items)))
})
