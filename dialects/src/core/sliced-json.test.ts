import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { parseInSlices, TooMuchText, type SlicedLimits } from './sliced-json'

/** The value, and how many steps it took. */
function parse(text: string, limits?: SlicedLimits): { readonly value: unknown; readonly steps: number } {
  const parsing = parseInSlices(Buffer.from(text), limits)
  for (let steps = 0; ; steps += 1) {
    const { done, value } = parsing.next()
    if (done) return { value, steps }
  }
}

const long = 'Ice, "冰" and 🧊\\n\t\u0001'.repeat(20_000)
const image = 'iVBORw0K'.repeat(90_000)
const quotes = '"'.repeat(300_000)

const aValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.constantFrom(long, image, quotes),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 5 }),
    fc
      .tuple(fc.integer({ min: 1, max: 12_000 }), fc.jsonValue({ maxDepth: 1 }))
      .map(([count, one]) => Array.from({ length: count }, () => one)),
  ),
})).value

test('a text that is parsed in slices has the value that it has at once, however it is written', () => {
  fc.assert(
    fc.property(aValue, fc.constantFrom('', ' ', '\n  '), (value, blank) => {
      const text = `${blank}${JSON.stringify(value, null, blank)}${blank}`
      expect(parse(text).value).toEqual(JSON.parse(text))
    }),
    { numRuns: 25 },
  )
})

test('parsing takes a step for each part of a long text, list or object', () => {
  const data = Array.from({ length: 3000 }, (_, index) => ({
    index,
    embedding: Array.from({ length: 64 }, () => 0.123456),
  }))
  const text = JSON.stringify({ data, image, long, usage: { prompt_tokens: 3 } })
  const { value, steps } = parse(text)
  expect(value).toEqual(JSON.parse(text))
  expect(steps).toBeGreaterThan(text.length / (1024 * 1024))
})

test('a member that objects have a meaning for is parsed as a member', () => {
  const text = `{"a":1,"__proto__":{"long":${JSON.stringify(long)}},"b":2}`
  expect(parse(text).value).toEqual(JSON.parse(text))
  expect(Object.keys(parse(text).value as object)).toEqual(['a', '__proto__', 'b'])
})

test.each([
  ['the end', (text: string) => text.slice(0, -1)],
  ['a comma before a long element', (text: string) => text.replace('1,"', '1 "')],
  ['a comma after a long element', (text: string) => text.replace('",2', '" 2')],
  ['an element', (text: string) => text.replace('1,', ',')],
  ['the last element', (text: string) => text.replace(',2]', ',]')],
  ['the right bracket', (text: string) => text.replace(']', '}')],
  ['a colon', (text: string) => text.replace('"a":', '"a"')],
  ['a name', (text: string) => text.replace('"a":', '')],
  ['an end that is the last', (text: string) => `${text} 3`],
  ['a beginning that is the first', (text: string) => `3 ${text}`],
  ['an end of its string', (text: string) => text.slice(0, 400_000)],
])('a text without %s is refused', (_, broken) => {
  const text = `{"a":[1,"${image}",2],"b":"${image}"}`
  expect(() => parse(text)).not.toThrow()
  expect(() => parse(broken(text))).toThrow(SyntaxError)
})

test('a text that has more structure than an answer is refused', () => {
  const deep = `${'['.repeat(1001)}${']'.repeat(1001)}`
  expect(() => parse(deep)).toThrow('More structure')
  expect(() => parse(`[${'{},'.repeat(2_000_000)}{}]`)).toThrow('More structure')
  expect(() => parse(`[${'1,'.repeat(8_000_001)}1]`)).toThrow('More structure')
})

test('a number that no parser takes in slices is refused', () => {
  const digits = '1'.repeat(2_200_000)
  for (const text of [`{"a":${digits}}`, `[0,${digits}]`, digits]) expect(() => parse(text)).toThrow('too many digits')
  expect(parse(`[${`${'1'.repeat(300_000)},`.repeat(20)}1]`).steps).toBeGreaterThan(20)
})

test('a response with more text than is allowed is refused, whatever data it has beside', () => {
  const withText = JSON.stringify({ image: [image, image], long })
  const textBytes = Buffer.byteLength(JSON.stringify(long)) + 100
  expect(parse(withText, { textBytes }).value).toEqual(JSON.parse(withText))
  expect(() => parse(withText, { textBytes: textBytes - 200 })).toThrow(TooMuchText)
})
