import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { AnswerEvent, BlockKind } from '../core/neutral/events'
import { joinDeltas } from '../core/neutral/test/fixtures'
import { type EventChange, TaggedThoughts, ThoughtsAsText } from './tagged-thoughts'

const block = (number: number, of: BlockKind, pieces: readonly string[]): AnswerEvent[] => [
  { type: 'block-start', choice: 0, block: number, of },
  ...pieces.map((text) => ({ type: 'block-delta', choice: 0, block: number, delta: { kind: 'text', text } }) as const),
  { type: 'block-end', choice: 0, block: number },
]
const through = (change: EventChange, events: readonly AnswerEvent[]) =>
  joinDeltas(events.flatMap((event) => change.event(event)))
const call = { kind: 'tool-call', id: 'c', name: 'f' } as const

describe('tagged thoughts', () => {
  const tagged = '<think>\nhm, 1 < 2\n</think>\n\nHello'
  const expected = [
    ...block(0, { kind: 'thinking' }, ['hm, 1 < 2']),
    ...block(1, { kind: 'text' }, ['Hello']),
    ...block(2, call, ['{}']),
  ]

  test('tagged text becomes thoughts, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(tagged.length), { maxLength: 12 }), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), tagged.length]
        const pieces = places.slice(1).map((end, index) => tagged.slice(places[index], end))
        const events = [...block(0, { kind: 'text' }, pieces), ...block(1, call, ['{}'])]
        expect(through(new TaggedThoughts(), events)).toEqual(expected)
      }),
    )
  })

  test.each([['Hello'], ['1 <think> 2'], ['<thin'], ['<b>x'], [' ']])('%j stays text', (text) => {
    const events = block(0, { kind: 'text' }, text.split(''))
    expect(through(new TaggedThoughts(), events)).toEqual(block(0, { kind: 'text' }, [text]))
  })

  test('blanks in many pieces are left out before a tag, and kept before other text and at the end', () => {
    const blanks = Array.from({ length: 5 }, () => ' \n')
    const readPieces = (...pieces: readonly string[]) =>
      through(new TaggedThoughts(), block(0, { kind: 'text' }, [...blanks, ...pieces]))
    expect(readPieces('<th', 'ink>', 'hm')).toEqual(block(0, { kind: 'thinking' }, ['hm']))
    for (const rest of ['Hello', '<thin', ''])
      expect(readPieces(...rest.split(''))).toEqual(block(0, { kind: 'text' }, [blanks.join('') + rest]))
  })

  test('tags that are never closed make all text a thought', () => {
    const events = block(0, { kind: 'text' }, ['<think>hm', 'm </thi'])
    expect(through(new TaggedThoughts(), events)).toEqual(block(0, { kind: 'thinking' }, ['hmm </thi']))
  })

  test('tags behind real thoughts stay text', () => {
    const events = [...block(0, { kind: 'thinking' }, ['a']), ...block(1, { kind: 'text' }, ['<think>b</think>'])]
    expect(through(new TaggedThoughts(), events)).toEqual(events)
  })
})

test('thoughts become text with tags, and those without words vanish', () => {
  const events = [
    ...block(0, { kind: 'thinking' }, ['h', 'm']),
    ...block(1, { kind: 'thinking' }, []),
    ...block(2, { kind: 'text' }, ['Hello']),
  ]
  expect(through(new ThoughtsAsText(), events)).toEqual([
    ...block(0, { kind: 'text' }, ['<think>\nhm\n</think>\n']),
    ...block(1, { kind: 'text' }, []),
    ...block(2, { kind: 'text' }, ['Hello']),
  ])
})
