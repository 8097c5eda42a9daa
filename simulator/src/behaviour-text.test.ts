import { expect, test } from 'bun:test'

import { behaviourOf } from './behaviour-text'
import { dialectFaults, faults } from './faults'

test('reads settings with any of its separators', () => {
  const expected = { tokens: 200, gapMs: 5, ttftMs: 20, usage: 'none' }
  for (const text of ['sim:tokens=200,gap=5,ttft=20,usage=none', 'sk-sim:tokens=200;gap=5;ttft=20&usage=none;']) {
    expect(behaviourOf(text)).toEqual(expected as never)
  }
})

test('a model name names a fault', () => {
  expect(behaviourOf('sim-fault-gzip')).toEqual(faults.gzip)
  expect(behaviourOf('sk-sim:fault=status-500;every=3')).toEqual({ ...faults['status-500'], every: 3 })
})

test('a model name sets the behaviour', () => {
  expect(
    behaviourOf('sim:think=3;redacted;search=1;code=2;pictures=2;end=refusal;cache-write=5;cache-write-1h=6'),
  ).toEqual({
    thinking: 3,
    redacted: true,
    searches: 1,
    codeRuns: 2,
    images: 2,
    ending: 'refusal',
    cacheWriteTokens: 5,
    cacheWriteHourTokens: 6,
  })
  const args = encodeURIComponent('[{"a":"1;2"}]')
  expect(behaviourOf(`sim:text=a%20word%2C;tools=1;args=${args}`)).toEqual({
    text: 'a word,',
    toolCalls: 1,
    toolArguments: [{ a: '1;2' }],
  })
})

test('reads the name of a fault that some dialects have', () => {
  expect(behaviourOf('sim-fault-blocked-prompt')).toEqual(dialectFaults['blocked-prompt'])
})

test('other model names set no behaviour', () => {
  expect(behaviourOf('gpt-4o')).toBeNull()
})

test.each([
  'sim:tokens=-1',
  'sim:nothing=1',
  'sim-fault-',
  'sim:usage=maybe',
  'sim:constructor=1',
  'sim:end=well',
  'sim:args=1',
  'sim:text=%',
])('a behaviour that cannot be read is refused: %s', (text) => {
  expect(() => behaviourOf(text)).toThrow(RangeError)
})
