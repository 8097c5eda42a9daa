import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { CallArguments } from './call-arguments'

function readFrom(pieces: readonly string[]): string {
  const args = new CallArguments(false)
  return pieces.map((piece) => args.take(piece)).join('') + args.rest()
}

describe('arguments as hosts are known to stream them', () => {
  test.each<[string, readonly string[], string]>([
    ['each piece adds to those before', ['{"a"', ':1', '}'], '{"a":1}'],
    ['each piece tells all so far', ['{"a"', '{"a":1', '{"a":1}'], '{"a":1}'],
    ['each piece tells all so far, from the brace on', ['{', '{"city":', '{"city":"Prague"}'], '{"city":"Prague"}'],
    ['each piece tells all so far, and the last one twice', ['{"a":1', '{"a":12}', '{"a":12}'], '{"a":12}'],
    ['the end tells all of it again', ['{"a"', ':1}', '{"a":1}'], '{"a":1}'],
    ['all of it is told twice', ['{"a":1}', '{"a":1}'], '{"a":1}'],
    ['an empty object stands in at first', ['{}', '{"a":1}'], '{"a":1}'],
    ['an empty object stands in before pieces', ['{}', '{"a"', ':1}'], '{"a":1}'],
    ['an empty object is all', ['{}'], '{}'],
    ['an empty object is told twice', ['{}', '{}'], '{}'],
    ['empty pieces come in between', ['', '{"a":1}', ''], '{"a":1}'],
    ['an object within begins like the one around it', ['{"a":', '{"a":', '1}}'], '{"a":{"a":1}}'],
    ['a key is a brace', ['{"', '{"', ':1}'], '{"{":1}'],
    ['a line feed follows', ['{"a":1}', '\n'], '{"a":1}'],
  ])('arguments of a call are read whole: %s', (_how, pieces, expected) => {
    expect(readFrom(pieces)).toBe(expected)
  })

  const json = fc
    .dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 3 })
    .map((value) => JSON.stringify(value))
  const cuts = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 6 })

  test('an object that comes in pieces of any length is read as it is', () => {
    fc.assert(
      fc.property(json, cuts, (text, lengths) => {
        const pieces: string[] = []
        for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 0)
          pieces.push(text.slice(at, at + (lengths[pieces.length % lengths.length] ?? 1)))
        expect(readFrom(pieces)).toBe(text)
      }),
    )
  })

  test('the free text of a custom tool is taken as it comes', () => {
    const args = new CallArguments(true)
    expect(['{}', '{}', '{}+'].map((piece) => args.take(piece))).toEqual(['{}', '{}', '{}+'])
    expect([args.isWhole, args.rest()]).toEqual([false, ''])
  })
})
