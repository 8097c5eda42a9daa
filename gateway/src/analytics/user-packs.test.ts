import { expect, test } from 'bun:test'

import { longSums } from './long-sums'
import { pairs } from './pairs'
import { packedColumnOf, packedUntil, packLevels, userPacks } from './user-packs'

test('every sum has a number of its own', () => {
  const numbers = [...pairs, ...longSums, ...userPacks].map(({ number }) => number)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('filters on one column that many users share have packs', () => {
  expect(packedColumnOf({ modelName: 'm%' })).toBe('model_name')
  expect(packedColumnOf({ modelNames: ['a', 'b'] })).toBe('model_name')
  expect(packedColumnOf({ tokenName: 't' })).toBe('token_name')
  expect(packedColumnOf({ channelId: 1 })).toBe('channel_id')
  for (const filter of [
    {},
    { group: 'g' },
    { userId: 1 },
    { userId: null, modelName: 'm' },
    { modelName: 'm', channelId: 1 },
  ]) {
    expect(packedColumnOf(filter)).toBeUndefined()
  }
})

test('thirds of days are read where they tell the parts of time, and no further than hours are packed', () => {
  const folds = { until: (number: number) => (number > 100 ? 900 : 800) }
  const spansOf = (size: number, shift: number) =>
    packLevels(folds, 'channel_id', { size, shift }).map(({ number, span, until }) => [number, span, until])
  const hours = [45, 3600, 800]
  expect(spansOf(86_400, 28_800)).toEqual([[145, 28_800, 800], hours])
  expect(spansOf(86_400, 19_800)).toEqual([hours])
  expect(spansOf(3600, 0)).toEqual([hours])
  expect(packedUntil(folds, 'channel_id')).toBe(800)
})
