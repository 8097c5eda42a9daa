import { expect, test } from 'bun:test'

import { startingPoint } from './new-session'

const served: Readonly<Record<string, readonly string[]>> = { vip: ['gpt-4o'], default: ['gpt-4o-mini', 'o3'] }
const vipUser = {
  models: ['gpt-4o', 'gpt-4o-mini', 'o3'],
  groups: { default: {}, vip: {} },
  ownGroup: 'vip',
  isServed: (model: string, group: string) => served[group]?.includes(model) ?? false,
}
const start = (models: readonly string[], { isNamed = false, group = '' } = {}) =>
  startingPoint({ models, isNamed, group }, vipUser)

test('a new session starts with a model that the user’s group serves', () => {
  expect(start([])).toEqual({ models: ['gpt-4o'], group: '' })
  expect(start(['gpt-4o-mini'])).toEqual({ models: ['gpt-4o'], group: '' })
  expect(start([], { group: 'default' })).toEqual({ models: ['gpt-4o-mini'], group: 'default' })
  expect(start(['o3', 'gpt-4o'], { group: 'default' })).toEqual({ models: ['o3'], group: 'default' })
  expect(start([], { group: 'gone' })).toEqual({ models: ['gpt-4o'], group: '' })
})

test('a requested model is used in a group that serves it', () => {
  expect(start(['o3'], { isNamed: true })).toEqual({ models: ['o3'], group: 'default' })
  expect(start(['unheard-of'], { isNamed: true })).toEqual({ models: ['gpt-4o'], group: '' })
})

test('a group without models falls back to the first model in a group that serves it', () => {
  const poor = { ...vipUser, ownGroup: 'poor' }
  expect(startingPoint({ models: [], isNamed: false, group: '' }, poor)).toEqual({ models: ['gpt-4o'], group: 'vip' })
  expect(startingPoint({ models: [], isNamed: false, group: '' }, { ...poor, models: [] }).models).toEqual([])
})
