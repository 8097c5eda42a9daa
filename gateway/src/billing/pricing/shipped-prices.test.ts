import { defaultOptions } from '@tollgate/contract'
import { reasonWithoutPrice } from '@tollgate/models'
import { providers } from '@tollgate/providers'
import { expect, test } from 'bun:test'

import { listedEntry } from './resolve-price'
import { marketOf } from './sale-markets'

const entryOf = (name: string) => listedEntry(defaultOptions, name)

test.each(providers.map((provider) => [provider.id, provider] as const))(
  'each model that the form of %s suggests has a price or a reason to have none',
  (_id, provider) => {
    const market = marketOf({ provider, baseUrl: '' })
    const isPriced = (name: string) => listedEntry(defaultOptions, name, market) !== null
    const neither = provider.models.filter((name) => !isPriced(name) && reasonWithoutPrice(name) === null)
    const both = provider.models.filter((name) => isPriced(name) && reasonWithoutPrice(name) !== null)
    expect({ neither, both }).toEqual({ neither: [], both: [] })
  },
)

test('models on the operator’s own machines are free, unless a vendor sells the same name', () => {
  for (const name of ['qwen3', 'gpt-oss:20b', 'm3e-base', 'jina-reranker-v2']) {
    expect(entryOf(name)).toMatchObject({ prices: { input: 0 } })
  }
  expect(entryOf('deepseek-r1')).toMatchObject({ prices: { input: 0.55 } })
})
