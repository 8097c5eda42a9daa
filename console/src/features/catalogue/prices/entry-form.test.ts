import { describe, expect, test } from 'bun:test'
import { PriceEntry } from '@tollgate/contract'

import { entryFaults, entryFields, entryOfFields, newMode, newSchedule, newTier, secondsNotice } from './entry-form'

const whole: PriceEntry = {
  prices: { input: 2.5, output: 15, cache_read: 0, web_search: 10 },
  tiers: [{ above: 272_000, prices: { input: 5, output: 22.5 } }],
  modes: [
    { name: 'priority', match: { service_tier: 'priority' }, factor: 2 },
    {
      name: 'flex',
      match: { service_tier: 'flex', region: 'us' },
      prices: { input: 1.25 },
      tiers: [{ above: 272_000, prices: { input: 2.5 } }],
    },
  ],
  schedules: [{ name: 'night', zone: 'Asia/Shanghai', days: [1, 7], from: '22:00', to: '06:00', factor: 0.5 }],
}

test('an entry survives a round trip through its form', () => {
  expect(entryOfFields(entryFields(whole))).toEqual(whole)
  expect(entryOfFields(entryFields({ prices: { per_call: 0 } }))).toEqual({ prices: { per_call: 0 } })
  expect(entryOfFields(entryFields(null))).toEqual({ prices: {} })
})

test('a form without faults is a valid entry', () => {
  expect(entryFaults(entryFields(whole))).toEqual({})
  expect(PriceEntry.safeParse(entryOfFields(entryFields(whole))).success).toBe(true)
})

test.each([
  [{ per_second: 0.01 }, 'alone'],
  [{ per_second: 0.01, output: 3, web_search: 1 }, 'alone'],
  [{ per_second: 0.01, input: 1 }, 'beside'],
  [{ input: 1 }, null],
] as const)('%j: a price per second, which is never charged, is reported %p', (prices, expected) => {
  expect(secondsNotice(entryFields({ prices }))).toBe(expected)
})

describe('faults are shown at their fields', () => {
  const fields = entryFields(whole)
  const [mode] = fields.modes
  const [schedule] = fields.schedules
  test.each([
    ['no price to charge', { ...fields, prices: { output: 3 } }, { 'prices.input': 'nothing' }],
    [
      'a tier without a length',
      { ...fields, tiers: [{ ...newTier(), above: '', prices: { input: 1 } }] },
      { 'tiers.0.above': 'above' },
    ],
    ['a tier without a price', { ...fields, tiers: [newTier()] }, { 'tiers.0.prices.input': 'noPrices' }],
    [
      'two tiers of one length',
      { ...fields, tiers: [...fields.tiers, ...fields.tiers] },
      { 'tiers.1.above': 'sameAbove' },
    ],
    [
      'an empty mode',
      { ...fields, modes: [newMode()] },
      { 'modes.0.name': 'name', 'modes.0.service_tier': 'match', 'modes.0.factor': 'noEffect' },
    ],
    [
      'two modes of one name',
      { ...fields, modes: [mode ?? newMode(), mode ?? newMode()] },
      { 'modes.1.name': 'sameName' },
    ],
    [
      'hours without a name or days, in no zone, at no time',
      {
        ...fields,
        schedules: [{ ...(schedule ?? newSchedule()), name: ' ', zone: 'Mars', days: [], from: '8:30', factor: '' }],
      },
      {
        'schedules.0.name': 'name',
        'schedules.0.zone': 'zone',
        'schedules.0.days': 'days',
        'schedules.0.from': 'time',
        'schedules.0.factor': 'factor',
      },
    ],
  ] as const)('%s', (_, values, faults) => {
    expect(entryFaults(structuredClone(values) as typeof fields)).toEqual(faults)
  })
})
