import { expect, test } from 'bun:test'

import { excludedValues, excluding, Exclusions, including, removeExclusion } from './exclusions'

const gpt = { name: 'model', value: 'gpt-4o' } as const
const main = { name: 'channel', value: '4' } as const

test('an excluded value is added to earlier ones once', () => {
  const { not } = excluding({ not: { model: ['o3'] } }, gpt)
  expect(not).toEqual({ model: ['o3', 'gpt-4o'] })
  expect(excluding({ not }, gpt).not).toEqual({ model: ['o3', 'gpt-4o'] })
})

test('excluding the filtered value removes the filter', () => {
  const change: object = excluding({ channel: 4 }, main)
  expect(change).toEqual({ channel: undefined, not: { channel: ['4'] } })
  expect(excluding({ channel: 5 }, main)).toEqual({ not: { channel: ['4'] } })
})

test('filtering by an excluded value removes the exclusion', () => {
  expect(including({ not: { model: ['gpt-4o'], group: ['vip'] } }, gpt)).toEqual({
    model: 'gpt-4o',
    not: { model: undefined, group: ['vip'] },
  })
  expect(including({ not: { channel: ['4'] } }, main)).toEqual({ channel: 4, not: undefined })
})

test('no more values are excluded than the server accepts; the oldest is dropped', () => {
  const many = Array.from({ length: 20 }, (_, index) => `m${index}`)
  expect(excluding({ not: { model: many } }, gpt).not?.model).toEqual([...many.slice(1), 'gpt-4o'])
})

test('including the last excluded value leaves nothing behind', () => {
  expect(removeExclusion({ model: ['gpt-4o'] }, gpt)).toBeUndefined()
  expect(excludedValues(removeExclusion({ model: ['gpt-4o', 'o3'] }, gpt))).toEqual([{ name: 'model', value: 'o3' }])
})

test('an invalid address excludes nothing', () => {
  expect(Exclusions.parse({ model: 'x', channel: [4], token: [], group: [{}] })).toEqual({ channel: ['4'] })
})
