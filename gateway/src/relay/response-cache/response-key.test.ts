import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { withoutMembers } from './response-key'

const notes = new Set(['user', 'metadata'])
const cut = (text: string) => withoutMembers(text, notes)

/** JSON texts of one value, in whatever way it may be written. */
const write = (value: unknown, gap: string): string => JSON.stringify(value, null, gap)
const members = fc.dictionary(fc.constantFrom('a', 'b', 'user ', 'messages', 'x"y', 'model\\'), fc.jsonValue(), {
  maxKeys: 5,
})
const note = fc.record({ name: fc.constantFrom('user', 'metadata'), value: fc.jsonValue() })
const gap = fc.constantFrom('', ' ', '\t')

describe('what a key is made of', () => {
  test.each([
    ['{"a":1}', '{"a":1}'],
    ['{"a":1,"user":"x"}', '{"a":1}'],
    ['{"user":"x","a":1}', '{"a":1}'],
    ['{"user":"x"}', '{}'],
    ['{}', '{}'],
    [
      '{"a":{"user":"x"},"metadata":{"a":[1,{"user":"}"}]},"b":"\\",\\"user\\":\\""}',
      '{"a":{"user":"x"},"b":"\\",\\"user\\":\\""}',
    ],
    ['{"a":"user","b":["user"]}', '{"a":"user","b":["user"]}'],
    [' {"seed":12345678901234567890 , "user":"x"}', '{"seed":12345678901234567890 }'],
  ])('%s becomes %s', (text, expected) => {
    expect(cut(text)).toBe(expected)
  })

  test('notes are cut and every other member keeps its bytes, wherever they stand', () => {
    fc.assert(
      fc.property(members, note, gap, fc.boolean(), (body, { name, value }, indent, isFirst) => {
        const noted = isFirst ? { [name]: value, ...body } : { ...body, [name]: value }
        expect(JSON.parse(cut(write(noted, indent)))).toEqual(JSON.parse(write(body, indent)))
        expect(cut(write(noted, ''))).toBe(write(body, ''))
      }),
    )
  })

  test('bodies that differ in more than their notes stay different', () => {
    fc.assert(
      fc.property(members, members, note, gap, (one, other, { name, value }, indent) => {
        const [first, second] = [write({ ...one, [name]: value }, indent), write(other, indent)]
        expect(cut(first) === cut(second)).toBe(cut(first) === second && write(one, '') === write(other, ''))
      }),
    )
  })
})
