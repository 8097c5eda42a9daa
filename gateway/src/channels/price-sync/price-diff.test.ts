import { expect, test } from 'bun:test'

import type { PriceEntry, PriceMode } from '@tollgate/models'

import { changedEntry } from './changed-entry'
import { assessChange } from './findings'
import { presentValue } from './decide'
import { priceDiff, type FieldChange } from './price-diff'

const complete = { isComplete: true }
const diff = (present: PriceEntry | null, listed: PriceEntry, options = complete) =>
  priceDiff(present, listed, options).map(({ field, before, after, refusal }) => [field, before, after, refusal])

const priority: PriceMode = { name: 'priority', match: { service_tier: 'priority' }, factor: 2 }
const batch: PriceMode = { name: 'batch', match: { batch: 'true' }, prices: { input: 1, output: 4 } }
const offPeak = { name: 'off-peak', zone: 'UTC', days: [1], from: '10:00', to: '20:00', factor: 0.5 }
const present: PriceEntry = {
  prices: { input: 2, output: 8, cache_read: 0.5, web_search: 10 },
  tiers: [{ above: 200_000, prices: { input: 4, output: 12 } }],
  modes: [priority, batch],
  schedules: [offPeak],
}

test('an entry that charges the same has no differences', () => {
  expect(diff(present, present)).toEqual([])
  expect(diff({ prices: { input: 2 } }, { prices: { input: 2, output: 2, cache_write_5m: 2.5 } })).toEqual([])
  expect(diff(present, { ...present, prices: { ...present.prices, input: 2.0001 } })).toEqual([])
})

const everyOtherDay = { ...offPeak, days: [1, 3, 5] }

test('each field that differs is one change, also in tiers and modes', () => {
  const listed: PriceEntry = {
    prices: { input: 1, output: 8, cache_read: 0.5, web_search: 10, audio_in: 6 },
    tiers: [
      { above: 200_000, prices: { input: 5, output: 12 } },
      { above: 500_000, prices: { output: 20 } },
    ],
    modes: [
      { name: 'priority', match: { service_tier: 'priority' }, factor: 2.5 },
      { name: 'batch', match: { batch: 'true' }, prices: { input: 1, output: 3 } },
      { name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 },
    ],
    schedules: [everyOtherDay],
  }
  expect(diff(present, listed)).toEqual([
    ['input', 2, 1, null],
    ['audio_in', 2, 6, null],
    ['tier:200000:input', 4, 5, null],
    ['tier:500000:output', 12, 20, null],
    ['mode:priority:factor', 2, 2.5, null],
    ['mode:batch:output', 4, 3, null],
    ['mode:flex', null, { name: 'flex', match: { service_tier: 'flex' }, factor: 0.5 }, null],
    ['schedules', [offPeak], [everyOtherDay], null],
  ])
})

test('a billing kind is never changed, whatever else differs', () => {
  expect(diff({ prices: { per_call: 0.1 } }, { prices: { input: 1 } })).toEqual([
    ['kind', 'per_call', 'tokens', 'kind'],
  ])
  expect(diff(present, { prices: { per_call: 1 } })).toEqual([['kind', 'tokens', 'per_call', 'kind']])
})

test('nothing is deleted and nothing becomes free', () => {
  expect(diff(present, { prices: { input: 2, output: 0 } })).toEqual([
    ['output', 8, 0, 'zero'],
    ['cache_read', 0.5, null, 'dropped'],
    ['web_search', 10, null, 'dropped'],
    ['tier:200000:input', 4, null, 'dropped'],
    ['mode:priority', priority, null, 'dropped'],
    ['mode:batch', batch, null, 'dropped'],
    ['schedules', [offPeak], null, 'dropped'],
  ])
  expect(diff(present, { prices: { input: 2, output: 8 } }, { isComplete: false })).toEqual([])
})

test('a model without a price gets everything that the source has, but nothing for free', () => {
  expect(diff(null, { prices: { input: 1, output: 0 } })).toEqual([['input', null, 1, null]])
})

const change = (before: FieldChange['before'], after: FieldChange['after']): FieldChange => ({
  field: 'input',
  before,
  after,
  refusal: null,
})

test.each([
  [10, 11, false, 10, true, 'applied', 'rise'],
  [10, 11.1, false, 10, true, 'waiting', 'rise'],
  [10, 10.1, false, 0, true, 'waiting', 'rise'],
  [10, 9, false, 0, true, 'applied', 'fall'],
  [10, 9, false, 0, false, 'waiting', 'fall'],
  [10, 1.01, false, 0, true, 'applied', 'fall'],
  [10, 1, false, 0, true, 'waiting', 'fall'],
  [10, 0.000001, false, 0, true, 'waiting', 'fall'],
  [10, 9, true, 100, true, 'waiting', 'own'],
  [0, 1, false, 1000, true, 'waiting', 'new'],
  [null, 1, false, 1000, true, 'waiting', 'new'],
  [[], [], false, 1000, true, 'waiting', 'structure'],
] as const)('a change from %p to %p (by hand: %p, rises up to %d %, falls apply: %p) is %s', (...row) => {
  const [before, after, isOwn, maxRise, appliesFalls, state, reason] = row
  const verdict = assessChange(change(before, after), isOwn, {
    maxRise,
    appliesFalls,
  })
  expect(verdict).toMatchObject({ state, reason })
})

test('an applied field changes alone: what followed from it keeps its price', () => {
  const entry = changedEntry({ prices: { input: 2 } }, [{ field: 'input', after: 1 }])
  expect(entry).toEqual({ prices: { input: 1, output: 2, cache_read: 2 } })
  expect(changedEntry(null, [{ field: 'per_call', after: 0.5 }])).toEqual({ prices: { per_call: 0.5 } })
})

test('after applying everything that a diff finds, only refused differences are left', () => {
  const listed: PriceEntry = {
    prices: { input: 3, output: 6, cache_write_1h: 5 },
    tiers: [
      { above: 100_000, prices: { input: 6 } },
      { above: 200_000, prices: { output: 13 } },
    ],
    modes: [
      { name: 'priority', match: { service_tier: 'priority' }, factor: 3 },
      { name: 'batch', match: { batch: 'true' }, factor: 0.5 },
      { name: 'us', match: { region: 'us' }, factor: 1.1 },
    ],
    schedules: [{ name: 'night', zone: 'Asia/Shanghai', days: [7], from: '00:30', to: '08:30', factor: 0.25 }],
  }
  const changes = priceDiff(present, listed, complete).filter(({ refusal }) => refusal === null)
  for (const { field, before } of changes) expect(presentValue(present, field)).toEqual(before)
  const next = changedEntry(present, changes)
  expect(priceDiff(next, listed, { isComplete: false })).toEqual([])
  for (const { field, after } of changes) expect(presentValue(next, field)).toEqual(after)
})
