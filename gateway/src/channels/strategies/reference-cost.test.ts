import { describe, expect, test } from 'bun:test'

import { defaultOptions } from '@tollgate/contract'
import type { PriceEntry } from '@tollgate/models'
import { providers } from '@tollgate/providers'

import { aChannel } from '../../../test/routes'
import { PriceBook } from '../../billing/pricing/price-book'
import { Prices } from '../../billing/pricing/prices'
import type { Channel } from '../catalog/catalog'
import { referenceCost } from './reference-cost'

const quotaPerDollar = 500_000
const noon = Date.parse('2026-11-23T12:00:00Z')
const ownMachine = providers.find(({ isFree }) => isFree)

/** Returns the cost in dollars at a channel of a model with these entries, by channel; 0: the sale price. */
function costAt(
  channel: Channel,
  entries: Readonly<Record<number, PriceEntry | { factor: number }>>,
  { model = 'kite-1', unixMs = noon } = {},
): number | null {
  const rows = Object.entries(entries).map(([id, entry]) => ({
    channel_id: Number(id),
    model: 'factor' in entry ? '' : model,
    entry: JSON.stringify(entry),
  }))
  const channels = new Map([[channel.id, channel]])
  const prices = new Prices({ options: defaultOptions, book: new PriceBook(rows), channels })
  const cost = referenceCost({ channel, weight: 0, model }, prices, unixMs)
  return cost === null ? null : cost / quotaPerDollar
}

describe('the cost of the reference call', () => {
  test.each([
    ['tokens', { prices: { input: 2, output: 8 } }, 0.014],
    ['a call', { prices: { per_call: 0.05 } }, 0.05],
    ['an image', { prices: { input: 0, per_image: 0.04 } }, 0.04],
    ['characters', { prices: { input: 0, per_character: 15 } }, 0.015],
  ])('the price of %s counts', (_, entry, dollars) => {
    expect(costAt(aChannel(1), { 1: entry })).toBeCloseTo(dollars, 10)
  })

  test('the list price counts, times the channel’s factor', () => {
    const model = 'gpt-4o'
    const list = costAt(aChannel(1), {}, { model })
    expect(list).toBeCloseTo(0.0175, 10)
    expect(costAt(aChannel(1), { 1: { factor: 0.8 } }, { model })).toBeCloseTo(0.014, 10)
    const mapped = aChannel(1, { modelMapping: new Map([['kite-1', model]]) })
    expect(costAt(mapped, {})).toBeCloseTo(0.0175, 10)
  })

  test('an unknown cost counts as the sale price before the group’s ratio, and is unknown where there is none', () => {
    expect(costAt(aChannel(1), { 0: { prices: { input: 4, output: 4 } } })).toBeCloseTo(0.016, 10)
    expect(costAt(aChannel(1), {})).toBeNull()
  })

  test('the operator’s own machine costs nothing unless it has an entry', () => {
    const own = aChannel(1, ownMachine && { provider: ownMachine })
    expect(costAt(own, {}, { model: 'gpt-4o' })).toBe(0)
    expect(costAt(own, { 1: { prices: { input: 1, output: 1 } } })).toBeCloseTo(0.004, 10)
  })

  test('a price that depends on the hour counts at its hour', () => {
    const night = { name: 'night', zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '06:00', factor: 0.5 }
    const entry = { prices: { input: 2, output: 8 }, tiers: [], modes: [], schedules: [night] }
    expect(costAt(aChannel(1), { 1: entry })).toBeCloseTo(0.014, 10)
    expect(costAt(aChannel(1), { 1: entry }, { unixMs: noon - 9 * 3_600_000 })).toBeCloseTo(0.007, 10)
  })
})
