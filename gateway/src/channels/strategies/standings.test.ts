import { describe, expect, test } from 'bun:test'

import { defaultOptions, type RoutingRule } from '@tollgate/contract'
import type { PriceEntry } from '@tollgate/models'

import { FakeTime } from '../../../test/fake-time'
import { aCatalog, aChannel } from '../../../test/routes'
import { PriceBook } from '../../billing/pricing/price-book'
import { Prices } from '../../billing/pricing/prices'
import { priorityLevelsOf } from '../routing/priority-levels'
import { modelName } from '../catalog/channel-keys'
import { Standings } from './standings'

const rowsOf = (costs: Readonly<Record<number, PriceEntry>>) =>
  Object.entries(costs).map(([id, entry]) => ({ channel_id: Number(id), model: 'm', entry: JSON.stringify(entry) }))
const at = (price: number): PriceEntry => ({ prices: { input: price, output: price } })

function aSite(rule: RoutingRule, costs: Readonly<Record<number, PriceEntry>>) {
  const time = new FakeTime(0)
  const standings = new Standings(time, () => {})
  const catalog = aCatalog([aChannel(1), aChannel(2)])
  const options = { ...defaultOptions, RoutingStrategies: [rule] }
  let prices = new Prices({ options, book: new PriceBook(rowsOf(costs)), channels: catalog.channels })
  const [level] = priorityLevelsOf(catalog, 'default', 'm')
  if (!level) throw new Error('No level')
  const standing = () => {
    const found = standings.of({ ...catalog, options, prices }, 'default', 'm', level)
    if (!found) throw new Error('No strategy')
    return found
  }
  const setCosts = (next: Readonly<Record<number, PriceEntry>>) => {
    prices = prices.withBook(new PriceBook(rowsOf(next), prices.book))
  }
  return { time, standings, standing, setCosts }
}

const relation = ({ merits }: { merits: { cost: Float64Array } }) => [...merits.cost].map((merit) => merit.toFixed(2))

describe('how channels stand', () => {
  test('a new price is in force at once', () => {
    const { standing, setCosts } = aSite({ model: '*', strategy: 'cheapest' }, { 1: at(1), 2: at(2) })
    expect(relation(standing())).toEqual(['1.00', '0.50'])
    setCosts({ 1: at(8), 2: at(2) })
    expect(relation(standing())).toEqual(['0.25', '1.00'])
    setCosts({ 0: at(4), 2: at(2) })
    expect(relation(standing())).toEqual(['0.50', '1.00'])
  })

  test('a price of an hour is in force within ten minutes', () => {
    const night = { name: 'night', zone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '06:00', factor: 0.5 }
    const byHour = { ...at(4), tiers: [], modes: [], schedules: [night] }
    const { time, standing } = aSite({ model: '*', strategy: 'cheapest' }, { 1: byHour, 2: at(3) })
    expect(relation(standing())).toEqual(['1.00', '0.67'])
    time.advance(6 * 3_600_000)
    expect(relation(standing())).toEqual(['0.75', '1.00'])
  })

  test('nothing is computed anew before a period ends', () => {
    const { time, standings, standing } = aSite({ model: '*', strategy: 'fastest' }, {})
    const before = standing()
    standings.speeds.record(modelName(1, 'm'), { startMs: 5, tokens: 0, tokenMs: 0 })
    expect(standing()).toBe(before)
    time.advance(5_000)
    expect(standing().speeds[0]?.startMs).toBe(5)
  })

  test('a group and model without a rule have none', () => {
    const standings = new Standings(new FakeTime(0), () => {})
    const catalog = aCatalog([aChannel(1), aChannel(2)])
    const [level] = priorityLevelsOf(catalog, 'default', 'm')
    expect(level && standings.of(catalog, 'default', 'm', level)).toBeNull()
  })
})
