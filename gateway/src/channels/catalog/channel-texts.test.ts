import { describe, expect, test } from 'bun:test'

import { MappingCycleError, parseModelMapping, parseStatusCodeMapping } from './channel-texts'

const entries = (map: ReadonlyMap<unknown, unknown>) => [...map]

describe('a model mapping', () => {
  const cases: [string, [string, string][]][] = [
    ['', []],
    ['null', []],
    ['{}', []],
    ['{"a":"b"}', [['a', 'b']]],
    [
      '{"a":"b","b":"c"}',
      [
        ['a', 'c'],
        ['b', 'c'],
      ],
    ],
    ['{"a":"a"}', []],
    ['{"a":""}', []],
    ['{"a":"b","b":"b"}', [['a', 'b']]],
    ['{"a":"b","b":""}', [['a', 'b']]],
  ]
  for (const [text, expected] of cases) {
    test(`a model mapping of ${text || 'nothing'} leads to its ends`, () =>
      expect(entries(parseModelMapping(text))).toEqual(expected))
  }

  test('a circular model mapping is refused', () => {
    for (const text of ['{"a":"b","b":"a"}', '{"x":"a","a":"b","b":"c","c":"a"}']) {
      expect(() => parseModelMapping(text)).toThrow(MappingCycleError)
    }
  })

  test('a model mapping that is not an object of strings is refused', () => {
    for (const text of ['{', '[]', '"a"', '7', '{"a":1}', '{"a":null}', '{"a":{}}']) {
      expect(() => parseModelMapping(text)).toThrow()
    }
  })
})

describe('a status code mapping', () => {
  test('a status code mapping holds HTTP statuses, as strings or numbers, and leaves 200 alone', () => {
    expect(entries(parseStatusCodeMapping('{"400":"500","429":503,"200":"500"}'))).toEqual([
      [400, 500],
      [429, 503],
    ])
    expect(entries(parseStatusCodeMapping(''))).toEqual([])
  })

  test('a status code mapping of anything else is refused', () => {
    for (const text of ['{"400":"abc"}', '{"x":"500"}', '{"400":"99"}', '{"400":600}', '{"400":null}', '[]']) {
      expect(() => parseStatusCodeMapping(text)).toThrow()
    }
  })
})
