import { expect, test } from 'bun:test'

import type { AnswerEvent } from '../core/neutral/events'
import { onceEncodedReader } from './once-encoded'

const place = { choice: 0, block: 0 } as const
const begin: AnswerEvent = { type: 'block-start', ...place, of: { kind: 'tool-call', id: 'a', name: 'f' } }
const delta = (text: string): AnswerEvent => ({ type: 'block-delta', ...place, delta: { kind: 'text', text } })
const end: AnswerEvent = { type: 'block-end', ...place }

test('arguments that are encoded twice take time by their length alone, however many pieces they come in', () => {
  const reader = onceEncodedReader({
    read: ({ name, data }) => [name === 'begin' ? begin : delta(data)],
    end: () => [end],
  })
  const text = JSON.stringify({ text: 'x'.repeat(500_000) })
  const pieces = Array.from(JSON.stringify(text), (data) => ({ name: '', data }))
  const events = [{ name: 'begin', data: '' }, ...pieces].flatMap((event) => reader.read(event))
  expect([...events, ...reader.end()]).toEqual([begin, delta(text), end])
})
