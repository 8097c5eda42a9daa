import { expect, test } from 'bun:test'

import { aRow } from '../../../test/pricing-factory'
import { pricedModels } from './priced-models'

const row = (model_name: string, owned_by: string, more = {}) =>
  aRow({ model_name, owned_by, completion_ratio: 4, ...more })

test('models of different makers alternate', () => {
  const rows = [row('a1', 'a'), row('a2', 'a'), row('a3', 'a'), row('b1', 'b')]
  expect(pricedModels(rows, { default: 1 }, undefined).map(({ name }) => name)).toEqual(['a1', 'b1', 'a2', 'a3'])
})

test('models of unknown makers come after those of every other', () => {
  const rows = [row('x1', ''), row('x2', ''), row('a1', 'a'), row('a2', 'a'), row('b1', 'b')]
  const names = pricedModels(rows, { default: 1 }, undefined).map(({ name }) => name)
  expect(names).toEqual(['a1', 'b1', 'x1', 'a2', 'x2'])
})

test('the newest models come first, and retired ones are left out', () => {
  const rows = [
    row('old', 'a', { released_on: '2024-01-01' }),
    row('new', 'a', { released_on: '2026-01-01' }),
    row('gone', 'a', { released_on: '2026-02-01', is_retired: true }),
  ]
  expect(pricedModels(rows, { default: 1 }, undefined).map(({ name }) => name)).toEqual(['new', 'old'])
})

test('prices are those of the reader’s group, and only its models are listed', () => {
  const rows = [row('shared', 'a', { enable_groups: ['default', 'vip'] }), row('common', 'a')]
  expect(pricedModels(rows, { default: 1, vip: 0.5 }, 'vip')).toEqual([
    { name: 'shared', maker: 'a', input: 1, output: 4 },
  ])
})

test('models priced by the call are left out', () => {
  expect(pricedModels([row('draw', 'a', { quota_type: 1, model_price: 0.1 })], { default: 1 }, undefined)).toEqual([])
})
