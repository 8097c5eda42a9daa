import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { createWordMatcher } from './word-matcher'

describe('a word matcher', () => {
  test('the matcher finds words in any case, and patterns', () => {
    const matcher = createWordMatcher(['Bomb', 'regex:secret\\d+', ''])
    expect(matcher.find('a BOMB and SECRET42')).toEqual(['bomb', 'regex:secret\\d+'])
    expect(matcher.find('nothing')).toEqual([])
  })

  test('the matcher leaves out patterns that do not compile', () => {
    expect(createWordMatcher(['regex:(', 'x']).find('x (')).toEqual(['x'])
  })

  test('a pattern with exponential backtracking elsewhere takes linear time', () => {
    expect(createWordMatcher(['regex:(a+)+$']).find(`${'a'.repeat(5000)}!`)).toEqual([])
  })

  test('many words give the same matches as few', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'C', 'ü', '字'), minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'B', 'c', 'Ü', '字') }),
        (words, text) => {
          const fillers = Array.from({ length: 20 }, (_, index) => `filler${index}`)
          const few = createWordMatcher(words).find(text)
          const many = createWordMatcher([...words, ...fillers]).find(text)
          expect(new Set(many)).toEqual(new Set(few))
        },
      ),
    )
  })
})
