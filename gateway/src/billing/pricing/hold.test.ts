import { describe, expect, test } from 'bun:test'

import { noUsage } from '@tollgate/dialects'
import * as fc from 'fast-check'

import { pricesWith } from '../../../test/prices'
import { computeCharge } from './charge'
import { affordableOutput, estimateQuota, minHold } from './hold'
import type { PinnedPrice } from './price'

const prices = pricesWith({
  ModelRatio: { free: 0, plain: 2 },
  CompletionRatio: { plain: 3 },
  ModelPrice: { call: 0.01, gift: 0 },
  GroupRatio: { default: 1, half: 0.5, open: 0 },
})

function priceOf(model: string, group = 'default'): PinnedPrice {
  const price = prices.priceOf(model, { group, userGroup: 'default' })
  if (!price) throw new Error('No price')
  return price.pin({ unixMs: 0 })
}

describe('the estimated cost of a call', () => {
  test('the estimate is what the prompt and all the output would cost', () => {
    expect(estimateQuota(priceOf('plain'), 100, 1000)).toBe(2 * (100 + 3000))
    expect(estimateQuota(priceOf('plain', 'half'), 100, 1000)).toBe(3100)
    expect(estimateQuota(priceOf('plain'), 100, 0)).toBe(200)
    expect(estimateQuota(priceOf('plain'), 0, 0)).toBe(2)
  })

  test('the estimate at a price per call is that price', () => {
    expect(estimateQuota(priceOf('call'), 100, 5)).toBe(5000)
    expect(estimateQuota(priceOf('call', 'half'), 100, 1000)).toBe(2500)
  })

  test('the estimate is zero where nothing can be charged', () => {
    for (const price of [priceOf('free'), priceOf('gift'), priceOf('plain', 'open'), priceOf('call', 'open')]) {
      expect(price.price.isFree).toBe(true)
      expect(estimateQuota(price, 100, 1000)).toBe(0)
    }
  })

  test('the estimate covers every call that keeps to its limit', () => {
    const count = fc.nat(10_000)
    fc.assert(
      fc.property(count, count, count, (promptTokens, limit, completionTokens) => {
        const price = priceOf('plain')
        const cost = computeCharge(price, {
          ...noUsage,
          promptTokens,
          completionTokens: Math.min(completionTokens, limit),
        })
        expect(cost.quota).toBeLessThanOrEqual(estimateQuota(price, promptTokens, limit))
      }),
    )
  })
})

test('the smallest hold is that of some prompt tokens, or of the prompt with the shortest responses', () => {
  expect(minHold(priceOf('plain'), 100, 1, 500)).toBe(1000)
  expect(minHold(priceOf('plain'), 800, 1, 500)).toBe(2 * (800 + 48))
  expect(minHold(priceOf('plain'), 0, 2, 0)).toBe(2 * (1 + 96))
  expect(minHold(priceOf('call'), 100, 8, 500)).toBe(5000)
})

test('affordable output is the most that a budget pays for', () => {
  const count = fc.nat(100_000)
  fc.assert(
    fc.property(
      count,
      count,
      fc.nat(1_000_000),
      fc.constantFrom('default', 'half', 'open'),
      (prompt, maxOutput, budget, group) => {
        const price = priceOf('plain', group)
        const output = affordableOutput(price, prompt, budget, maxOutput)
        expect(output).toBeLessThanOrEqual(maxOutput)
        if (output > 0) expect(estimateQuota(price, prompt, output)).toBeLessThanOrEqual(budget)
        if (output < maxOutput) expect(estimateQuota(price, prompt, output + 1)).toBeGreaterThan(budget)
      },
    ),
  )
})
