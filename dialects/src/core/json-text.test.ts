import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { endOfString, parseAnswer, scanJson, scanRequest, scanRequestInSteps, type JsonScan } from './json-text'
import { DialectError } from './dialect-error'
import { nestedObject, parsedObject } from './neutral/read'
import { objectOf } from './shared/chunk-data'
import { readUpstreamError } from './shared/errors'

const nestArrays = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('an answer', () => {
  test('a response is parsed up to a depth that no real one has', () => {
    expect(() => parseAnswer(nestArrays(1000))).not.toThrow()
    expect(() => parseAnswer(nestArrays(1001))).toThrow('Nested deeper than 1000 levels')
    expect(() => parseAnswer('['.repeat(6_000_000))).toThrow('Nested deeper than 1000 levels')
    expect(parseAnswer(JSON.stringify([nestArrays(2000)]))).toEqual([nestArrays(2000)])
  })

  test('text of an upstream is never parsed without the depth check', () => {
    const text = `{"error":${nestArrays(2000)},"message":"hi"}`
    expect(objectOf(`data: ${text}\n\n`)).toBeNull()
    expect(parsedObject(text)).toBeNull()
    expect(readUpstreamError(500, text)).toMatchObject({ code: 'bad_response_status_code' })
  })
})

test.each<[string, string, boolean]>([
  ['the arguments of a call', JSON.stringify({ path: 'a.txt', text: '{['.repeat(100_000) }), true],
  ['what is nested deeply', `{"a":${nestArrays(200)}}`, false],
  ['what is nested deeply and does not end', '{"a":'.repeat(2_000_000), false],
  ['very many numbers', `{"a":[${'1,'.repeat(300_000)}1]}`, false],
  ['very many digits', `{"a":${'1'.repeat(5_000_000)}}`, false],
  ['very many objects', `{"a":[${'{},'.repeat(60_000)}{}]}`, false],
])('a text within a request is parsed where it is that of a call: %s', (_, text, isParsed) => {
  expect(nestedObject(text) !== null).toBe(isParsed)
})

/** A scan in steps says the same: strings go beyond the end of a step. */
const refusalOf = (text: string): string | null => {
  try {
    const steps = scanRequestInSteps(text)
    let step = steps.next()
    while (!step.done) step = steps.next()
    expect(step.value).toMatchObject(factsOf(scanRequest(text)))
    return null
  } catch (error) {
    return error instanceof DialectError ? error.code : String(error)
  }
}

const factsOf = ({ exceeded, members, modelColon, longStrings, elements, bare }: JsonScan) => ({
  exceeded,
  members,
  modelColon,
  longStrings,
  elements,
  bare,
})

describe('the structure of a body', () => {
  const many = (part: string, count: number) => `{"x":[${`${part},`.repeat(count - 1)}${part}]}`

  test.each([
    ['objects', '{}', 600_000],
    ['arrays', '[]', 600_000],
    ['strings', '"a"', 600_000],
    ['members', '{"a":1}', 300_000],
    ['numbers', '1', 4_100_000],
  ])('a body is refused before it is parsed: too many %s', (_what, part, count) => {
    expect(refusalOf(many(part, count))).toBe('structure_too_large')
  })

  test('real calls are far within the limits', () => {
    const text = 'It said: "{[,]}" and so on, at length. '.repeat(100)
    const parts = [
      { type: 'text', text },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${text}` } },
    ]
    const messages = Array.from({ length: 5000 }, () => ({ role: 'user', content: parts }))
    const ids = Array.from({ length: 2000 }, () => Array.from({ length: 1000 }, (_, id) => id))
    for (const body of [
      { model: 'm', messages },
      { model: 'm', input: ids },
    ])
      expect(refusalOf(JSON.stringify(body))).toBeNull()
  })

  test('the structure of responses is bounded far beyond what models generate', () => {
    const token = { token: 'abc', logprob: -0.1, bytes: [97, 98, 99] }
    const content = Array.from({ length: 4000 }, () => ({
      ...token,
      top_logprobs: Array.from({ length: 20 }, () => token),
    }))
    expect(() => parseAnswer(JSON.stringify({ choices: [{ logprobs: { content } }] }))).not.toThrow()
    const data = Array.from({ length: 500 }, () => ({ embedding: Array.from({ length: 3072 }, () => -0.25) }))
    expect(() => parseAnswer(JSON.stringify({ data }))).not.toThrow()
    expect(() => parseAnswer(many('{}', 2_100_000))).toThrow('More structure than an answer has')
  })

  test('tells how many members are written and where the model is', () => {
    const spaced = fc.constantFrom(0, 1, 2, '\t')
    const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))
    fc.assert(
      fc.property(anyObject, spaced, (value, space) => {
        const text = JSON.stringify({ ...value, nested: { model: 'x' }, model: 'y' }, null, space)
        const { exceeded, members, modelColon } = scanJson(text, { depth: 128, parts: Infinity, commas: Infinity })
        expect({ exceeded, members }).toEqual({ exceeded: null, members: membersOf(JSON.parse(text)) })
        expect(text.slice(0, modelColon).trimEnd()).toEndWith('"model"')
        expect(text.slice(modelColon + 1).trimStart()).toStartWith('"y"')
      }),
    )
  })
})

const membersOf = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce<number>(
        (sum, part) => sum + membersOf(part),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      )

describe('depth of a body', () => {
  test('structure up to the limit is allowed', () => {
    expect(() => scanRequest(nestArrays(128))).not.toThrow()
    expect(() => scanRequest(nestArrays(129))).toThrow(DialectError)
    expect(() => scanRequest('{"a":'.repeat(129))).toThrow(DialectError)
    expect(() => scanRequest(nestArrays(100_000))).toThrow(DialectError)
  })

  test('brackets inside strings and wide bodies are not counted', () => {
    expect(() => scanRequest(JSON.stringify({ content: `${nestArrays(300)} \\" {{{{ \\`.repeat(3) }))).not.toThrow()
    expect(() => scanRequest(JSON.stringify(Array.from({ length: 500 }, () => ({ a: [] }))))).not.toThrow()
  })

  test('agrees with a count over the parsed value', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 6 }), (value, limit) => {
        let isRefused = false
        try {
          scanRequest(JSON.stringify(value), { depth: limit, parts: Infinity, commas: Infinity })
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
