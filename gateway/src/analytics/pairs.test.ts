import { expect, test } from 'bun:test'

import { dimensionNames } from './dimensions'
import { longSums } from './long-sums'
import { pairOf, pairs, thirdsWithin, turned } from './pairs'

test('every filter on a column that many share has a pair for each grouping by another, but for users', () => {
  const filters = { model_name: { modelName: 'm' }, token_name: { tokenName: 't' }, channel_id: { channelId: 1 } }
  for (const one of ['model_name', 'token_name', 'channel_id'] as const) {
    for (const other of dimensionNames) {
      const pair = pairOf(filters[one], other)
      if (other === one || other === 'user_id') expect(pair).toBeUndefined()
      else expect(pair).toMatchObject({ one, other })
    }
  }
})

test('two conditions are answered by a pair in either order, also by a group', () => {
  expect(pairOf({ modelName: 'm%', group: 'g' })).toMatchObject({ one: 'model_name', other: 'group' })
  expect(pairOf({ tokenName: 't', channelId: 1 }, 'token_name')).toMatchObject({
    one: 'channel_id',
    other: 'token_name',
  })
  expect(pairOf({ group: 'g', channelId: 1 }, 'channel_id')).toBeUndefined()
  expect(pairOf({ userId: 1, modelName: 'm' })).toBeUndefined()
  expect(pairOf({ userId: null, modelName: 'm' }, 'group')).toBeUndefined()
  expect(pairOf({ modelName: 'm', tokenName: 't' }, 'channel_id')).toBeUndefined()
  expect(pairOf({}, 'model_name')).toBeUndefined()
})

test('no two pairs share a number, nor one with a column', () => {
  const numbers = [...pairs.map(({ number }) => number), ...longSums.map(({ number }) => number), 1, 2, 3, 4, 5]
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('thirds of days are whole', () => {
  const hour = 3600
  expect(thirdsWithin({ from: 0, before: 24 * hour })).toEqual({ from: 0, before: 24 * hour })
  expect(thirdsWithin({ from: hour, before: 17 * hour })).toEqual({ from: 8 * hour, before: 16 * hour })
  expect(thirdsWithin({ from: hour, before: 15 * hour })).toBeUndefined()
})

test('a pair has one whose rows stand by the other column, save that of groups', () => {
  for (const pair of pairs) {
    if (pair.other === 'group') expect(turned(pair)).toBeUndefined()
    else expect(turned(pair)).toMatchObject({ one: pair.other, other: pair.one })
  }
})
