import type { PriceEntry } from '@tollgate/contract'
import type { TaskUsage } from '@tollgate/providers'
import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { Price } from '../billing/pricing/price'
import type { PriceFacts } from '../billing/pricing/variant'
import { taskCharge, taskHold } from './task-charge'
import { readTerms, storedPrice } from './task-terms'

const quotaPerUnit = 500_000

const perSecond: PriceEntry = {
  prices: { per_second: 0.1 },
  modes: [
    { name: 'large', match: { size: '1920x1080' }, prices: { per_second: 0.3 } },
    { name: 'high', match: { quality: 'high' }, factor: 2 },
  ],
}
const perImage: PriceEntry = { prices: { per_image: 0.04 } }

const priceOf = (entry: PriceEntry, factors: Partial<PriceFacts> = {}): Price =>
  new Price({
    entry,
    groupRatio: 1,
    userGroupRatio: null,
    quotaPerUnit,
    assumed: false,
    modeRatio: () => null,
    ...factors,
  })

function termsOf(entry: PriceEntry, accepted: TaskUsage) {
  const sale = storedPrice(priceOf(entry))
  return readTerms(JSON.stringify({ sale, cost: { ...sale, kind: 'list' }, accepted }))
}

const dollars = (charge: { readonly quota: number } | null) => charge && charge.quota / quotaPerUnit

describe('a finished task', () => {
  test.each<[string, PriceEntry, TaskUsage, TaskUsage, number, number]>([
    [
      'a task longer than accepted costs the client what was accepted',
      perSecond,
      { seconds: 8 },
      { seconds: 12 },
      0.8,
      0.8,
    ],
    ['a task shorter than accepted costs what was delivered', perSecond, { seconds: 8 }, { seconds: 5 }, 0.5, 0.5],
    ['a task of unreported length costs what was accepted', perSecond, { seconds: 8 }, {}, 0.8, 0.8],
    [
      'a task that has no length by its report costs what was accepted',
      perSecond,
      { seconds: 8 },
      { seconds: 0 },
      0.8,
      0.8,
    ],
    ['a task that delivered no image costs nothing for images', perImage, { images: 2 }, { images: 0 }, 0, 0],
    ['a task of a length that was left open costs what was delivered', perSecond, {}, { seconds: 12 }, 1.2, 1.2],
    [
      'a task with more images than accepted costs the client what was accepted',
      perImage,
      { images: 2 },
      { images: 4 },
      0.08,
      0.08,
    ],
    ['a task with fewer images costs what was delivered', perImage, { images: 4 }, { images: 1 }, 0.04, 0.04],
    [
      'a task of a larger size than accepted costs the client the accepted size, and the site the delivered one',
      perSecond,
      { seconds: 8, size: '1280x720' },
      { seconds: 8, size: '1920x1080' },
      0.8,
      2.4,
    ],
    [
      'a task of a smaller size than accepted costs the delivered size',
      perSecond,
      { seconds: 8, size: '1920x1080' },
      { seconds: 8, size: '1280x720' },
      2.4,
      2.4,
    ],
    [
      'a task of a better quality than accepted costs the client the accepted one, and the site the delivered one',
      perSecond,
      { seconds: 8, quality: 'standard' },
      { seconds: 8, quality: 'high' },
      0.8,
      1.6,
    ],
  ])('%s', (_name, entry, accepted, delivered, sale, cost) => {
    const charge = taskCharge(termsOf(entry, accepted), delivered, 0)
    expect([dollars(charge.sale), dollars(charge.cost)]).toEqual([sale, cost])
  })

  test('a task without a price costs nothing', () => {
    expect(taskCharge(readTerms('{}'), { seconds: 8 }, 0)).toMatchObject({ sale: null, cost: null })
  })

  test('a task never costs its client more than was held for it, whatever its vendor reports', () => {
    const count = fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined })
    const report = fc.record(
      {
        seconds: count,
        images: count,
        size: fc.constantFrom('1920x1080', '1280x720', 'odd'),
        quality: fc.constantFrom('high', 'standard'),
      },
      { requiredKeys: [] },
    )
    const accepted = fc
      .record({ seconds: fc.nat(60), images: fc.nat(4) })
      .chain((some) =>
        fc
          .record(
            { size: fc.constantFrom('1920x1080', '1280x720'), quality: fc.constantFrom('high', 'standard') },
            { requiredKeys: ['size', 'quality'] },
          )
          .map((more) => ({ ...some, ...more })),
      )
    fc.assert(
      fc.property(fc.constantFrom(perSecond, perImage), accepted, report, (entry, acceptedUsage, delivered) => {
        const { sale } = taskCharge(termsOf(entry, acceptedUsage), delivered, 0)
        expect(sale?.quota).toBeLessThanOrEqual(taskHold(priceOf(entry), acceptedUsage, 0))
      }),
    )
  })
})

describe('figures that a vendor reports', () => {
  const byToken: PriceEntry = { prices: { output: 2.5, per_second: 0.1, per_image: 0.04 } }
  const accepted = { completionTokens: 108_000, seconds: 5, images: 1 }

  test('a task costs no more than its hold, and has whole counts, whatever numbers they are', () => {
    const number = fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true }), fc.constantFrom(1e9, 1e20, 1e21, 1e300))
    const figures = { completionTokens: number, promptTokens: number, seconds: number, images: number }
    const maxQuota = taskHold(priceOf(byToken), accepted, 0)
    fc.assert(
      fc.property(fc.record(figures, { requiredKeys: [] }), (delivered) => {
        const { sale, usage } = taskCharge(termsOf(byToken, accepted), delivered, 0)
        expect(sale?.quota).toBeWithin(0, maxQuota + 1)
        const counts = [usage.promptTokens, usage.completionTokens, usage.details?.image_count ?? 0]
        expect(counts.filter((count) => !Number.isSafeInteger(count))).toEqual([])
      }),
    )
  })

  test('those far beyond what was accepted are told, and those a little above are not', () => {
    const findCapped = (delivered: TaskUsage) => taskCharge(termsOf(byToken, accepted), delivered, 0).capped
    expect(findCapped({ completionTokens: 1e9, seconds: 6 })).toMatchObject({ completion_tokens: 1e9 })
    expect(findCapped({ completionTokens: 120_000, seconds: 6 })).toBeUndefined()
  })
})
