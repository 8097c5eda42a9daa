import { catalogPriceOf, vendorModels } from '@tollgate/models'
import { providers } from '@tollgate/providers'
import { expect, test } from 'bun:test'

import { suggestedModels } from './suggested-models'

const today = '2026-11-23'

test.each(providers.map((provider) => [provider.id, provider] as const))(
  'the form of %s suggests its own models and those of the lists, each once, retired ones last',
  (id, provider) => {
    const { names, retired } = suggestedModels(provider, today)
    expect(names).toEqual(expect.arrayContaining([...provider.models]))
    const lower = names.map((name) => name.toLowerCase())
    expect(lower).toEqual(expect.arrayContaining(vendorModels(id).map((name) => name.toLowerCase())))
    expect(new Set(names).size).toBe(names.length)
    expect(names.slice(names.length - retired.length)).toEqual(retired.map(({ name }) => name))
  },
)

test('the newest models come first, also those without a release date in any list', () => {
  const models = ['acme-1', 'gpt-4o', 'gpt-5.5', 'gpt-99', 'gpt-5', 'gpt-4-turbo']
  const { names, retired } = suggestedModels({ id: 'none', models }, today)
  expect(names).toEqual(['gpt-99', 'gpt-5.5', 'gpt-5', 'gpt-4o', 'acme-1', 'gpt-4-turbo'])
  expect(retired).toEqual([{ name: 'gpt-4-turbo', since: '2026-10-23' }])
})

test('a model is retired on the day its vendor ends it', () => {
  expect(suggestedModels({ id: 'none', models: ['gpt-4-turbo'] }, '2026-10-22').retired).toEqual([])
})

test('each model that the lists add has a price', () => {
  const added = providers.flatMap(({ id }) => vendorModels(id))
  expect(added.length).toBeGreaterThan(200)
  expect(added.filter((name) => catalogPriceOf(name)?.prices.input === undefined)).toEqual([])
})
