import { describe, expect, test } from 'bun:test'

import { defaultOptions } from '@tollgate/contract'
import { noUsage } from '@tollgate/dialects'
import * as fc from 'fast-check'

import { costOf } from './cost'
import { estimateQuota, isFree } from './estimate'
import type { Price } from './price'
import { createPriceTable } from './price-table'

const table = createPriceTable({
  ...defaultOptions,
  ModelRatio: { free: 0, plain: 2 },
  CompletionRatio: { plain: 3 },
  ModelPrice: { call: 0.01, gift: 0 },
  GroupRatio: { default: 1, half: 0.5, open: 0 },
})

function priceOf(model: string, group = 'default'): Price {
  const price = table.priceOf(model, { group, userGroup: 'default' })
  if (!price) throw new Error('No price')
  return price
}

describe('the quota held before a call', () => {
  test('is what the prompt and all the output would cost', () => {
    expect(estimateQuota(priceOf('plain'), 100, 1000, 500)).toBe(2 * (100 + 3000))
    expect(estimateQuota(priceOf('plain', 'half'), 100, 1000, 500)).toBe(3100)
    expect(estimateQuota(priceOf('plain'), 100, 0, 500)).toBe(200)
  })

  test('without a limit is that of a number of prompt tokens, or of the prompt where it is longer', () => {
    expect(estimateQuota(priceOf('plain'), 100, null, 500)).toBe(1000)
    expect(estimateQuota(priceOf('plain'), 800, null, 500)).toBe(1600)
    expect(estimateQuota(priceOf('plain'), 0, null, 0)).toBe(2)
  })

  test('is the price of a call', () => {
    expect(estimateQuota(priceOf('call'), 100, null, 500)).toBe(5000)
    expect(estimateQuota(priceOf('call', 'half'), 100, 1000, 500)).toBe(2500)
  })

  test('is nothing where nothing can be charged', () => {
    for (const price of [priceOf('free'), priceOf('gift'), priceOf('plain', 'open'), priceOf('call', 'open')]) {
      expect(isFree(price)).toBe(true)
      expect(estimateQuota(price, 100, 1000, 500)).toBe(0)
    }
  })

  test('covers every call that keeps to its limit', () => {
    const count = fc.nat(10_000)
    fc.assert(
      fc.property(count, count, count, (promptTokens, limit, completionTokens) => {
        const price = priceOf('plain')
        const cost = costOf(price, { ...noUsage, promptTokens, completionTokens: Math.min(completionTokens, limit) })
        expect(cost.quota).toBeLessThanOrEqual(estimateQuota(price, promptTokens, limit, 500))
      }),
    )
  })
})
