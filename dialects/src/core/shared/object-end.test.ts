import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { ObjectEnd } from './object-end'

const endOf = (pieces: readonly string[]) => {
  const end = new ObjectEnd()
  return pieces.findIndex((piece) => {
    end.take(piece)
    return end.isReached
  })
}

test('the end of an object is found with its last character, whatever the object contains', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      expect(endOf(text.split(''))).toBe(text.length - 1)
    }),
  )
})

test.each([[''], [' '], ['"{}"'], ['[1'], ['{"a":"}'], ['{"a":"\\"}'], ['{"a":{}'], ['}'], ['}{}'], ['[{}]']])(
  'the text %j does not contain the end of an object',
  (text) => {
    expect(endOf([text])).toBe(-1)
  },
)

test('what follows the end of an object changes nothing', () => {
  expect(endOf(['\n{"a":1}'])).toBe(0)
  const end = new ObjectEnd()
  for (const piece of ['{}', '{', '"']) end.take(piece)
  expect(end.isReached).toBe(true)
})
