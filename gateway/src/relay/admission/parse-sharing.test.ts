import { expect, test } from 'bun:test'
import { scanRequest } from '@tollgate/dialects'
import * as fc from 'fast-check'

import { parseSharing } from './parse-sharing'

const parse = (text: string) => parseSharing(text, scanRequest(text).longStrings)

test('a text is parsed as ever, whatever its long strings hold', () => {
  const long = fc
    .tuple(fc.constantFrom('a', 'é', '字', '😀', '"', '\\', '\n', '\u0001', '\u2028', '__proto__'), fc.nat(20_000))
    .map(([unit, length]) => `${unit}${'x'.repeat(length + 10_000)}${unit}`)
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      long,
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('tree'), { maxKeys: 3 }),
    ),
  }))
  fc.assert(
    fc.property(tree, fc.constantFrom(undefined, 1), (value, indent) => {
      const text = JSON.stringify({ value }, null, indent)
      expect(parse(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['a raw line break in a long string', `{"a":"${'x'.repeat(20_000)}\n"}`],
  ['a long string without an end', `{"a":"${'x'.repeat(20_000)}`],
  ['text behind a long string', `{"a":"${'x'.repeat(20_000)}"x}`],
])('%s is refused as malformed JSON', (_what, text) => {
  expect(() => parse(text)).toThrow(SyntaxError)
})

test('a long name and its long value are parsed', () => {
  const [name, value] = ['n'.repeat(20_000), 'v'.repeat(20_000)]
  expect(parse(`{"${name}" : "${value}"}`)).toEqual({ [name]: value })
})
