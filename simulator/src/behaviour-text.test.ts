import { expect, test } from 'bun:test'

import { behaviourOf } from './behaviour-text'
import { faults } from './faults'

test('reads settings with any of its separators', () => {
  const expected = { tokens: 200, gapMs: 5, ttftMs: 20, usage: 'none' }
  for (const text of ['sim:tokens=200,gap=5,ttft=20,usage=none', 'sk-sim:tokens=200;gap=5;ttft=20&usage=none;']) {
    expect(behaviourOf(text)).toEqual(expected as never)
  }
})

test('reads the name of a fault', () => {
  expect(behaviourOf('sim-fault-gzip')).toEqual(faults.gzip)
  expect(behaviourOf('sk-sim:fault=status-500;every=3')).toEqual({ ...faults['status-500'], every: 3 })
})

test('leaves other names alone', () => {
  expect(behaviourOf('gpt-4o')).toBeNull()
})

test.each(['sim:tokens=-1', 'sim:nothing=1', 'sim-fault-', 'sim:usage=maybe', 'sim:constructor=1'])(
  'refuses %s',
  (text) => {
    expect(() => behaviourOf(text)).toThrow(RangeError)
  },
)
