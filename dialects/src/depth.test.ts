import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { checkDepth, endOfString, parseAnswer } from './depth'
import { DialectError } from './dialect-error'
import { parsedObject } from './neutral/read'
import { objectOf } from './openai/chunk-data'
import { readUpstreamError } from './openai/errors'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('an answer', () => {
  test('is parsed up to a depth that no answer has', () => {
    expect(() => parseAnswer(nested(1000))).not.toThrow()
    expect(() => parseAnswer(nested(1001))).toThrow('Nested deeper than 1000 levels')
    expect(() => parseAnswer('['.repeat(6_000_000))).toThrow('Nested deeper than 1000 levels')
    expect(parseAnswer(JSON.stringify([nested(2000)]))).toEqual([nested(2000)])
  })

  test('of an upstream is parsed nowhere without that look', () => {
    const text = `{"error":${nested(2000)},"message":"hi"}`
    expect(objectOf(`data: ${text}\n\n`)).toBeNull()
    expect(parsedObject(text)).toBeNull()
    expect(readUpstreamError(500, text)).toMatchObject({ code: 'bad_response_status_code' })
  })
})

describe('depth of a body', () => {
  test('is allowed up to the limit', () => {
    expect(() => checkDepth(nested(128))).not.toThrow()
    expect(() => checkDepth(nested(129))).toThrow(DialectError)
    expect(() => checkDepth('{"a":'.repeat(129))).toThrow(DialectError)
    expect(() => checkDepth(nested(100_000))).toThrow(DialectError)
  })

  test('does not count brackets inside strings, nor wide bodies', () => {
    expect(() => checkDepth(JSON.stringify({ content: `${nested(300)} \\" {{{{ \\`.repeat(3) }))).not.toThrow()
    expect(() => checkDepth(JSON.stringify(Array.from({ length: 500 }, () => ({ a: [] }))))).not.toThrow()
  })

  test('agrees with a count over the parsed value', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 6 }), (value, limit) => {
        let isRefused = false
        try {
          checkDepth(JSON.stringify(value), limit)
        } catch {
          isRefused = true
        }
        expect(isRefused).toBe(depthOf(value) > limit)
      }),
    )
  })

  test('the end of a string is its first quote that is not escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '"', '\\', 'é') }), (text) => {
        const written = JSON.stringify(text)
        expect(endOfString(`${written},"x"`, 0)).toBe(written.length - 1)
      }),
    )
    expect(endOfString('"open', 0)).toBe(5)
  })
})
