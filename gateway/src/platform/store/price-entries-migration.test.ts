import { expect, test } from 'bun:test'

import { defaultOptions, type OptionKey } from '@tollgate/contract'
import { noUsage, type Usage } from '@tollgate/dialects'

import { eachDatabase, emptyDatabase } from '../../../test/databases'
import { computeCharge } from '../../billing/pricing/charge'
import { PriceBook } from '../../billing/pricing/price-book'
import { Prices } from '../../billing/pricing/prices'
import { migrate, migratorOf } from './migrate'

const ratios: Partial<Record<OptionKey, unknown>> = {
  ModelRatio: { own: 1.3699, both: 3, 'gemini-2.5-pro': 0.7, 'gpt-5.5': 2, 'qwen3-32b': 1 },
  ModelPrice: { both: 0.0123 },
  CompletionRatio: { own: 20 / 3, alias: 2, 'qwen3-32b': 4 },
  CacheRatio: { own: 0.1, 'gpt-5.5': 0.3 },
  CreateCacheRatio: { own: 1.1 },
  ImageRatio: { own: 2.2 },
  AudioRatio: { own: 16 },
  AudioCompletionRatio: { own: 2.5 },
}

const full: Usage = {
  ...noUsage,
  promptTokens: 1000,
  completionTokens: 100,
  cachedTokens: 300,
  cacheWriteTokens: 100,
  cacheWriteHourTokens: 50,
  imageTokens: 10,
  audioInputTokens: 20,
  audioOutputTokens: 30,
}

/** By the formula of earlier releases: input 1 costs one quota a token. */
const expected: readonly (readonly [string, string | undefined, Partial<Usage>, number])[] = [
  // (520 + 300 x 0.1 + 100 x 1.1 + 50 x 1.76 + 10 x 2.2 + 20 x 16 + 70 x 6.67 + 30 x 16 x 2.5) x 1.3699
  ['own', undefined, full, Math.round((520 + 30 + 110 + 88 + 22 + 320 + 70 * (20 / 3) + 1200) * 1.3699)],
  ['both', undefined, full, 6150],
  // No tier above 200,000 tokens, no schedules, and cache reads at a tenth as on the list.
  ['gemini-2.5-pro', undefined, { promptTokens: 300_000, completionTokens: 10, cachedTokens: 100_000 }, 147_056],
  ['gpt-5.5', undefined, { promptTokens: 300_000, cachedTokens: 100 }, 599_860],
  ['qwen3-32b', undefined, { promptTokens: 10, completionTokens: 100, reasoningTokens: 90 }, 410],
  // An alias has a ratio of its own, relative to the upstream's price.
  ['alias', 'gpt-4o', { promptTokens: 1000, completionTokens: 100 }, 1500],
  ['gpt-4o', undefined, { promptTokens: 1000, completionTokens: 100 }, 1750],
]

for (const kind of eachDatabase) {
  test(`the step to price entries turns the ratios of a site into entries that charge the same (${kind})`, async () => {
    const world = await emptyDatabase(kind)
    await using _ = { [Symbol.asyncDispose]: () => world.drop() }
    const { database } = world
    await migratorOf(database).migrateTo('0028-audit-searches')
    const rows = Object.entries(ratios).map(([key, table]) => ({ key, value: JSON.stringify(table) }))
    await database.query.insertInto('options').values(rows).execute()
    await migrate(database)
    const stored = await database.query.selectFrom('price_entries').select(['channel_id', 'model', 'entry']).execute()
    const prices = new Prices({ options: defaultOptions, book: new PriceBook(stored) })
    const quotas = expected.map(([model, upstreamModel, used]) => {
      const price = prices.priceOf(model, { group: 'default', userGroup: 'default', upstreamModel })
      return [model, price && computeCharge(price.pin({ unixMs: 0 }), { ...noUsage, ...used }).quota]
    })
    expect(quotas).toEqual(expected.map(([model, , , quota]) => [model, quota]))
    // Releases before this one still find theirs.
    expect(await database.query.selectFrom('options').select('key').execute()).toHaveLength(rows.length)
  })

  test(`the step to price entries ignores a table that was never in force (${kind})`, async () => {
    const world = await emptyDatabase(kind)
    await using _ = { [Symbol.asyncDispose]: () => world.drop() }
    const { database } = world
    await migratorOf(database).migrateTo('0028-audit-searches')
    const rows = [
      { key: 'ModelRatio', value: '{"a":1,"b":-1}' },
      { key: 'ModelPrice', value: 'no json' },
      { key: 'CacheRatio', value: '{"c":0.5}' },
    ]
    await database.query.insertInto('options').values(rows).execute()
    await migrate(database)
    const found = await database.query.selectFrom('price_entries').select(['model']).execute()
    expect(found).toEqual([{ model: 'c' }])
  })
}
