import { describe, expect, test } from 'bun:test'

import { MappingCycleError, parseModelMapping, parseStatusCodeMapping } from './mappings'

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
    test(`${text || 'nothing'} leads to its ends`, () => expect(entries(parseModelMapping(text))).toEqual(expected))
  }

  test('that runs in a circle is refused', () => {
    for (const text of ['{"a":"b","b":"a"}', '{"x":"a","a":"b","b":"c","c":"a"}']) {
      expect(() => parseModelMapping(text)).toThrow(MappingCycleError)
    }
  })

  test('that is no object of texts is refused', () => {
    for (const text of ['{', '[]', '"a"', '7', '{"a":1}', '{"a":null}', '{"a":{}}']) {
      expect(() => parseModelMapping(text)).toThrow()
    }
  })
})

describe('a status code mapping', () => {
  test('holds HTTP statuses, as texts or numbers, and leaves 200 alone', () => {
    expect(entries(parseStatusCodeMapping('{"400":"500","429":503,"200":"500"}'))).toEqual([
      [400, 500],
      [429, 503],
    ])
    expect(entries(parseStatusCodeMapping(''))).toEqual([])
  })

  test('of anything else is refused', () => {
    for (const text of ['{"400":"abc"}', '{"x":"500"}', '{"400":"99"}', '{"400":600}', '{"400":null}', '[]']) {
      expect(() => parseStatusCodeMapping(text)).toThrow()
    }
  })
})
