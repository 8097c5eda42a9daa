import { expect, test } from 'bun:test'

import { breakdownTable, measuresTable, overTimeTable } from './dashboard-csv'

const nameOf = ({ name, is_other: isRest }: { name: string; is_other: boolean }) => (isRest ? 'Other' : name)
const totals = { count: 3, errors: 1, quota: 750_001, prompt_tokens: 20, completion_tokens: 10, use_time: 4 }
const some = { count: 3, errors: 1, quota: 750_001, tokens: 30 }
const data = {
  totals,
  previous: totals,
  times: [1_800_000_000, 1_800_003_600],
  totals_by_time: { count: [1, 2], errors: [0, 1], quota: [1, 750_000], tokens: [10, 20] },
  series: [
    {
      id: null,
      name: 'gpt, "large"',
      is_other: false,
      ...some,
      by_time: { count: [1, 2], quota: [1, 750_000], tokens: [10, 20] },
      margin: { sold: 750_000, cost: 500_000, saved: 0 },
      measures: {
        calls: 3,
        prompt_tokens: 20,
        cached_tokens: 5,
        cache_saved: 500_000,
        tokens_per_second: 31.5,
        first_token_ms: null,
        whole_ms: { p50: 900, p95: 2100 },
      },
    },
    { id: null, name: '', is_other: true, ...some, by_time: { count: [0, 0], quota: [0, 0], tokens: [0, 0] } },
  ],
}

test('the chart has a row for each time, with exact dollar amounts', () => {
  expect(overTimeTable(data, 'quota', nameOf, 500_000)).toEqual([
    ['time_utc', 'gpt, "large"', 'Other'],
    ['2027-01-15T08:00:00Z', 0.000002, 0],
    ['2027-01-15T09:00:00Z', 1.5, 0],
  ])
  expect(overTimeTable(data, 'tokens', nameOf, 500_000)[1]).toEqual(['2027-01-15T08:00:00Z', 10, 0])
})

test('the breakdown has a row for each series, empty where nothing was measured', () => {
  const [heads, first, rest] = breakdownTable(data, 'model', nameOf, 500_000)
  expect(heads?.[0]).toBe('model')
  expect(first).toEqual(['gpt, "large"', 3, 1, 30, 1.500002, null, null, 900, 2100, 31.5, 5, 1, 1.5, 1])
  expect(rest).toEqual(['Other', 3, 1, 30, 1.500002, null, null, null, null, null, null, null, null, null])
})

test('latency and cache have a row for each time', () => {
  const noValues = [null, null]
  const overview = {
    by_time: {
      first_token_p50: [120, null],
      first_token_p95: noValues,
      whole_p50: noValues,
      whole_p95: noValues,
      tokens_per_second: [31.5, null],
      prompt_tokens: [20, 0],
      cached_tokens: [5, 0],
      cache_saved: [500_000, 0],
    },
  }
  const rows = measuresTable(data.times, overview, 500_000)
  expect(rows[0]?.slice(0, 2)).toEqual(['time_utc', 'first_token_p50_ms'])
  expect(rows[1]).toEqual(['2027-01-15T08:00:00Z', 120, null, null, null, 31.5, 20, 5, 1])
  expect(rows[2]?.[1]).toBeNull()
})
