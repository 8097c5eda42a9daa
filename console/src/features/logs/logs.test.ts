import { expect, test } from 'bun:test'
import { readLogDetails } from '@tollgate/contract'

import { costFormula } from './panel/cost-formula'
import { formatElapsed } from './elapsed'
import { filterOf } from './log-query'
import { paceOfCall, paceOfFirstToken, statusOf, typeNameOf } from './log-row'
import { LogSearch } from './log-search'
import { writtenFormula } from './panel/written-formula'

const row = (prompt: number, completion: number, other: object) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  other: JSON.stringify(other),
})

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
  expect(costFormula(entry, 500_000)?.quota).toBe(quota)
})

test.each([
  [row(1000, 100, { model_ratio: 1.25, completion_ratio: 4, group_ratio: 0.8 }), '(1000 + 100 × 4) × 1.25 × 0.8'],
  [row(10, 0, { model_ratio: 1 }), '10 × 1 × 1'],
  [row(10, 0, { model_price: 0.04, group_ratio: 2 }), '0.04 × 500000 × 2'],
  [row(10, 0, { model_price: 0.04, image_count: 3, prices: { per_image: 0.04 } }), '3 × 0.04 × 500000 × 1'],
  [row(10, 0, { model_price: 0.04, image_count: 3, prices: { per_call: 0.04 } }), '0.04 × 500000 × 1'],
  [
    row(10, 0, { model_ratio: 1, web_search_call_count: 2, web_search_price: 10 }),
    '(10 × 1 + 2 × 10 / 1,000 × 500000) × 1',
  ],
])('a formula is written with its numbers', (entry, text) => {
  const formula = costFormula(entry, 500_000)
  expect(formula && writtenFormula(formula, 500_000, String)).toBe(text)
})

test('out-of-range numbers are tolerated', () => {
  const entry = row(10, 10, { model_ratio: 1e300, cache_tokens: 0.5, model_price: -1 })
  expect(costFormula(entry, 500_000)).toBeUndefined()
})

test('a row without prices has no formula', () => {
  expect(costFormula(row(10, 10, {}), 500_000)).toBeUndefined()
  expect(costFormula({ prompt_tokens: 1, completion_tokens: 1, other: 'no JSON' }, 500_000)).toBeUndefined()
})

test('attempts are read, and malformed ones are skipped', () => {
  const other = readLogDetails(
    JSON.stringify({
      frt: 'soon',
      admin_info: { attempts: [{ channel: 3, key: 'ab', status: 500, ms: 12, reason: 'x' }] },
    }),
  )
  expect(other.frt).toBeUndefined()
  expect(other.admin_info?.attempts).toEqual([{ channel: 3, key: 'ab', status: 500, ms: 12, reason: 'x' }])
  expect(readLogDetails('null').cache_tokens).toBe(0)
})

test('calls and first tokens are classified by their speed', () => {
  expect([0, 100, 101, 299, 300].map(paceOfCall)).toEqual(['good', 'good', 'warning', 'warning', 'bad'])
  expect([2_999, 3_000, 9_999, 10_000].map(paceOfFirstToken)).toEqual(['good', 'warning', 'warning', 'bad'])
})

test('all types have names', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(typeNameOf)).toEqual([
    'topUp',
    'consumption',
    'admin',
    'system',
    'checkIn',
    'error',
    'unknown',
  ])
})

const noon = new Date(2026, 10, 21, 12).getTime() / 1000

test.each([
  ['today, without a range', {}, noon - 12 * 3_600, noon + 3_600],
  ['the last hour', { range: 'hour' }, noon - 3_600, noon + 3_600],
  ['seven days', { range: 'week' }, noon - 7 * 86_400, noon + 3_600],
  ['thirty days', { range: 'month' }, noon - 30 * 86_400, noon + 3_600],
  ['from a moment on', { from: 5 }, 5, noon + 3_600],
  ['until a moment', { to: 5 }, undefined, 5],
  ['ends before a name', { range: 'hour', from: 5, to: 6 }, 5, 6],
  ['a call at any time', { request: 'req-1' }, undefined, undefined],
  ['a call within a range', { request: 'req-1', range: 'hour' }, noon - 3_600, noon + 3_600],
] as const)('a range: %s', (_name, search, start, end) => {
  const filter = filterOf(search, false, noon)
  expect([filter.start_timestamp, filter.end_timestamp]).toEqual([start, end])
})

test('an invalid address counts as empty', () => {
  expect(LogSearch.parse({ type: 'x', range: 'year', from: 1.5, open: 'y', model: 42, page: 0 })).toEqual({
    model: '42',
  })
})

test.each([
  [161, '161 ms'],
  [1_240, '1.24 s'],
  [2_000, '2.00 s'],
  [12_440, '12.4 s'],
  [125_000, '2 min 05 s'],
])('%d milliseconds are formatted as %s', (milliseconds, text) => {
  expect(formatElapsed(milliseconds)).toBe(text)
})

test('the status of a row is 200 when it was charged, the error’s own, and none for other rows', () => {
  expect(statusOf({ type: 2, other: '' })).toBe(200)
  expect(statusOf({ type: 6, other: '{"status_code":503}' })).toBe(503)
  expect(statusOf({ type: 1, other: '' })).toBeUndefined()
})
