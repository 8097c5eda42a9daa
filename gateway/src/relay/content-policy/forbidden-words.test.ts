import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { createWordMatcher } from './forbidden-words'

describe('a word matcher', () => {
  test('the matcher finds words in any case, and patterns', async () => {
    const matcher = createWordMatcher(['Bomb', 'regex:secret\\d+', ''])
    expect(await matcher.find(['a BOMB and SECRET42'])).toEqual(['bomb', 'regex:secret\\d+'])
    expect(await matcher.find(['nothing'])).toEqual([])
  })

  test('texts that are short are searched at once with the same result, and long ones are not', async () => {
    const matcher = createWordMatcher(['Bomb', 'regex:secret\\d+'])
    for (const texts of [['a BOMB', 'and secret7'], ['bo', 'mb'], [], ['clean']])
      expect(matcher.findAtOnce(texts)).toEqual(await matcher.find(texts))
    expect(matcher.findAtOnce(['bomb', 'a'.repeat(32 * 1024)])).toBeNull()
  })

  test('the matcher leaves out patterns that do not compile', async () => {
    expect(await createWordMatcher(['regex:(', 'x']).find(['x ('])).toEqual(['x'])
  })

  test('a pattern with exponential backtracking elsewhere takes linear time', async () => {
    expect(await createWordMatcher(['regex:(a+)+$']).find([`${'a'.repeat(5000)}!`])).toEqual([])
  })

  test('many words give the same matches as few', async () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'C', 'ü', '字'), minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'B', 'c', 'Ü', '字') }),
        async (words, text) => {
          const fillers = Array.from({ length: 20 }, (_, index) => `filler${index}`)
          const few = await createWordMatcher(words).find([text])
          const many = await createWordMatcher([...words, ...fillers]).find([text])
          expect(new Set(many)).toEqual(new Set(few))
        },
      ),
    )
  })

  test.each([
    ['a word', 'bomb', 'bomb'],
    ['a word among many', 'bomb', 'filler0'],
    ['a pattern', 'regex:b\\w+b', 'regex:b\\w+b'],
    ['a pattern with boundaries', 'regex:\\bbomb\\b', 'x'],
    ['a match of 16,000 characters', 'regex:bo\\.+mb', 'x'],
  ])('%s is found wherever a long text is cut', async (_name, line, other) => {
    const many = Array.from({ length: 20 }, (_, index) => `filler${index}`)
    const matcher = createWordMatcher(other === 'filler0' ? [line, ...many] : [line])
    const word = line === 'regex:bo\\.+mb' ? `bo${'.'.repeat(15_995)}mb` : 'bomb'
    for (const before of [0, 10, 16_380, 16_384, 32_764, 32_767, 32_768, 49_150, 65_530, 100_000])
      expect(await matcher.find([`${'. '.repeat(before / 2)}${word}${' .'.repeat(20_000)}`])).toEqual([line])
  })

  test.each(['regex:^\\.', 'regex: $', 'regex:\\Aa', 'regex:x\\b'])(
    '%s takes no place where a long text is cut for its beginning or end',
    async (line) => {
      expect(await createWordMatcher([line]).find([' ', 'a.xy '.repeat(40_000), 'end'])).toEqual([])
    },
  )

  test('texts are searched apart, and long ones one after the other', async () => {
    const matcher = createWordMatcher(['bomb', 'regex:second$'])
    expect(await matcher.find(['bo', 'mb'])).toEqual([])
    expect(await matcher.find(['x'.repeat(50_000), 'bomb', 'y'.repeat(50_000), 'the second'])).toEqual([
      'bomb',
      'regex:second$',
    ])
  })
})
