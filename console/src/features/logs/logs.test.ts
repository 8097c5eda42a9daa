import { expect, test } from 'bun:test'
import { readLogDetails } from '@tollgate/contract'
import { loggedCharge } from '@tollgate/contract/price-formula'

import { formatElapsed, paceOfCall, paceOfFirstToken, statusOf, typeNameOf } from './log-row'
import { filterOf } from './log-query'
import { LogSearch } from './log-search'
import { ratioFormula } from './panel/ratio-formula'
import { writtenFormula } from './panel/cost-lines'

const chargeOf = (prompt_tokens: number, completion_tokens: number, details: object) =>
  loggedCharge({ prompt_tokens, completion_tokens }, readLogDetails(JSON.stringify(details)))

test.each([
  [chargeOf(1000, 100, { model_ratio: 1.25, completion_ratio: 4, group_ratio: 0.8 }), '(1000 + 100 × 4) × 1.25 × 0.8'],
  [chargeOf(10, 0, { model_ratio: 1 }), '10 × 1 × 1'],
  [chargeOf(10, 0, { model_price: 0.04, group_ratio: 2 }), '0.04 × 500000 × 2'],
  [chargeOf(10, 0, { model_price: 0.04, image_count: 3, prices: { per_image: 0.04 } }), '3 × 0.04 × 500000 × 1'],
  [chargeOf(10, 0, { model_price: 0.04, image_count: 3, prices: { per_call: 0.04 } }), '0.04 × 500000 × 1'],
  [
    chargeOf(10, 0, { model_ratio: 1, web_search_call_count: 2, web_search_price: 10 }),
    '(10 × 1 + 2 × 10 / 1,000 × 500000) × 1',
  ],
])('a formula of ratios is written with its numbers', (charge, text) => {
  const formula = charge && ratioFormula(charge)
  expect(formula && writtenFormula(formula, 500_000, String)).toBe(text)
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
