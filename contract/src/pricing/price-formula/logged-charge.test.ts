import { describe, expect, test } from 'bun:test'

import { readLogDetails } from '../../stored/log-details'
import { numberOf } from './decimal'
import { loggedCharge, loggedQuota, usedClasses } from './logged-charge'

const row = (prompt_tokens: number, completion_tokens: number, details: object) => ({
  prompt_tokens,
  completion_tokens,
  other: JSON.stringify(details),
})
const chargeOf = ({ other, ...tokens }: ReturnType<typeof row>) => loggedCharge(tokens, readLogDetails(other))

describe('the quota of a charged row is computed as the gateway does:', () => {
  test.each([
    ['plain tokens', row(1000, 200, { model_ratio: 1.25, completion_ratio: 4, group_ratio: 1, model_price: -1 }), 2250],
    [
      'cached tokens and a group',
      row(1000, 100, { model_ratio: 1.25, completion_ratio: 4, group_ratio: 0.8, cache_tokens: 600, cache_ratio: 0.5 }),
      1100,
    ],
    [
      'what is written to a cache for five minutes and for an hour',
      row(1000, 10, {
        model_ratio: 1.5,
        completion_ratio: 5,
        cache_creation_tokens: 500,
        cache_creation_ratio: 1.25,
        cache_creation_tokens_1h: 200,
        cache_creation_ratio_1h: 2,
      }),
      Math.round((500 + 300 * 1.25 + 200 * 2 + 50) * 1.5),
    ],
    [
      'sound',
      row(100, 50, {
        model_ratio: 1.25,
        completion_ratio: 4,
        audio_input: 60,
        audio_output: 30,
        audio_ratio: 16,
        audio_completion_ratio: 2,
      }),
      Math.round((40 + 60 * 16 + 20 * 4 + 30 * 32) * 1.25),
    ],
    ['a price for each call', row(10, 10, { model_price: 0.04, group_ratio: 2 }), 40_000],
    ['searches of the web', row(10, 0, { model_ratio: 1, web_search_call_count: 2, web_search_price: 10 }), 10_010],
    ['halves are rounded up', row(1, 0, { model_ratio: 2.5 }), 3],
    ['characters', row(0, 0, { model_price: -1, characters: 1000, prices: { per_character: 15 } }), 7500],
    ['seconds of a recording', row(0, 0, { model_price: -1, seconds: 60, prices: { per_second: 0.0001 } }), 3000],
    ['anything used costs at least one', row(1, 0, { model_ratio: 0.01 }), 1],
    [
      'a service tier',
      row(1000, 200, {
        model_ratio: 1.25,
        completion_ratio: 4,
        group_ratio: 0.8,
        service_tier_ratio: 2.5,
        model_price: -1,
      }),
      4500,
    ],
    ['a free group costs nothing', row(100, 100, { model_ratio: 2, group_ratio: 0 }), 0],
    [
      'images cost their number, without any tokens too',
      row(0, 0, { model_price: 0.04, image_count: 3, prices: { per_image: 0.04 } }),
      60_000,
    ],
    ['nothing used costs nothing', row(0, 0, { model_ratio: 2 }), 0],
    ['nothing used costs nothing at a price for each call', row(0, 0, { model_price: 0.04 }), 0],
    [
      'more than ordinary numbers hold exactly',
      row(900_719_925_474_099, 0, { model_ratio: 0.1, group_ratio: 0.3 }),
      27_021_597_764_223,
    ],
  ])('%s', (_name, entry, quota) => {
    const charge = chargeOf(entry)
    expect(charge && loggedQuota(charge, 500_000).quota).toBe(quota)
  })
})

test('a row lists what it used of each class that has a price: input, output, tools', () => {
  const prices = { input: 0.15, output: 0.6, cache_read: 0.075, web_search: 10 }
  const details = { prices, cache_tokens: 1024, web_search_call_count: 2, model_price: -1 }
  const charge = chargeOf(row(5200, 420, details))
  expect(charge && usedClasses(charge).map(({ price, ...used }) => ({ ...used, price: numberOf(price) }))).toEqual([
    { class: 'input', amount: 4176, price: 0.15 },
    { class: 'cache_read', amount: 1024, price: 0.075 },
    { class: 'output', amount: 420, price: 0.6 },
    { class: 'web_search', amount: 2, price: 10 },
  ])
})

test('a row without prices, or with numbers out of range, has no charge to explain', () => {
  expect(chargeOf(row(10, 10, {}))).toBeUndefined()
  expect(chargeOf({ ...row(1, 1, {}), other: 'no JSON' })).toBeUndefined()
  expect(chargeOf(row(10, 10, { model_ratio: 1e300, cache_tokens: 0.5, model_price: -1 }))).toBeUndefined()
})
