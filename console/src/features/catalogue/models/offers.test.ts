import { describe, expect, test } from 'bun:test'
import type { PriceEntry, pricingRoutes } from '@tollgate/contract'

import { callCost, countOffers, matching, offersIn, priceIn, sorted, usualCall, vendorOf } from './offers'
import { aRow } from '../../../../test/pricing-factory'

const thinker: pricingRoutes.ModelFacts = {
  kind: 'chat',
  context_tokens: 200_000,
  output_tokens: null,
  input: ['text'],
  output: ['text'],
  abilities: ['tools', 'reasoning'],
}

const offers = offersIn(
  [
    aRow({ model_name: 'Big-Thinker', owned_by: 'acme', model_ratio: 5, completion_ratio: 2, facts: thinker }),
    aRow({ model_name: 'picture-1', owned_by: 'acme', quota_type: 1, model_price: 0.04 }),
    aRow({ model_name: 'small-1', model_ratio: 0.5, completion_ratio: 30 }),
    aRow({ model_name: 'staff-only', owned_by: 'zeta', enable_groups: ['staff'] }),
  ],
  'default',
  1,
)
const names = (list: typeof offers) => list.map(({ model_name: name }) => name)

describe('the price of output that no entry sets', () => {
  const offerOf = (entry: PriceEntry, facts: pricingRoutes.ModelFacts | null = null) =>
    offersIn([aRow({ entry, facts })], 'default', 1)[0]

  test('output is shown at the price of input, in each tier and mode, as calls are charged', () => {
    const offer = offerOf({
      prices: { input: 2 },
      tiers: [{ above: 1000, prices: { input: 3 } }],
      modes: [{ name: 'flex', match: { service_tier: 'flex' }, prices: { input: 1 }, tiers: [] }],
    })
    expect(offer && priceIn(offer, 'output')).toBe(2)
    expect(offer?.entry.tiers?.[0]?.prices.output).toBe(3)
    expect(offer?.entry.modes?.[0]?.prices?.output).toBe(1)
  })

  test('a model of vectors has no output, and neither has its usual call', () => {
    const offer = offerOf({ prices: { input: 2 } }, { ...thinker, kind: 'embedding' })
    expect(offer && priceIn(offer, 'output')).toBeUndefined()
    expect(offer && callCost(offer, usualCall)?.lines.map((line) => line.class)).toEqual(['input'])
  })

  test('tools are priced for models that are known to call them', () => {
    const entry = { prices: { input: 2, web_search: 10, file_search: 2.5 } }
    expect(offerOf(entry)?.entry.prices).toEqual({ input: 2, output: 2 })
    expect(offerOf(entry, thinker)?.entry.prices).toMatchObject({ web_search: 10, file_search: 2.5 })
  })
})

describe('the price list', () => {
  test('a model without the group has no price', () => {
    expect(offers.map((offer) => priceIn(offer, offer.kind === 'call' ? 'unit' : 'input'))).toEqual([
      10,
      0.04,
      1,
      undefined,
    ])
  })

  test.each([
    [{}, ['Big-Thinker', 'picture-1', 'small-1', 'staff-only']],
    [{ keyword: 'BIG think' }, ['Big-Thinker']],
    [{ keyword: '-1', kind: 'call' }, ['picture-1']],
    [{ vendor: 'acme' }, ['Big-Thinker', 'picture-1']],
    [{ vendor: 'other' }, ['small-1']],
    [{ vendor: 'unknown' }, []],
    [{ ability: 'reasoning' }, ['Big-Thinker']],
    [{ ability: 'web-search' }, []],
  ] as const)('the search %j finds %j', (filters, found) => {
    expect(names(matching(offers, filters))).toEqual([...found])
  })

  test('vendors are counted in descending order, the unknown last', () => {
    expect(countOffers(offers, vendorOf)).toEqual([
      ['acme', 2],
      ['zeta', 1],
      ['other', 1],
    ])
  })

  test.each([
    ['name', false, ['Big-Thinker', 'picture-1', 'small-1', 'staff-only']],
    ['name', true, ['staff-only', 'small-1', 'picture-1', 'Big-Thinker']],
    ['input', false, ['small-1', 'Big-Thinker', 'picture-1', 'staff-only']],
    ['input', true, ['Big-Thinker', 'small-1', 'picture-1', 'staff-only']],
    ['output', true, ['small-1', 'Big-Thinker', 'picture-1', 'staff-only']],
    ['unit', true, ['picture-1', 'Big-Thinker', 'small-1', 'staff-only']],
    ['context', false, ['Big-Thinker', 'picture-1', 'small-1', 'staff-only']],
    ['cost', false, ['small-1', 'Big-Thinker', 'picture-1', 'staff-only']],
  ] as const)('sorting by %s, descending %p', (column, isDescending, order) => {
    expect(names(sorted(offers, { column, isDescending, call: usualCall }))).toEqual([...order])
  })

  test('a thousand models are searched and sorted at once', () => {
    const many = Array.from({ length: 1000 }, (_, index) => aRow({ model_name: `model-${index}`, model_ratio: index }))
    const found = matching(offersIn(many, 'default', 1), { keyword: '99' })
    expect(names(sorted(found, { column: 'input', isDescending: true, call: usualCall })).slice(0, 2)).toEqual([
      'model-999',
      'model-998',
    ])
  })
})
