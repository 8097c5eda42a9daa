import { expect, test } from 'bun:test'

import { barLabels } from './histogram'
import { histogramQuery } from './histogram-query'
import { filterOf } from '../log-query'

const noon = new Date(2026, 10, 21, 12).getTime() / 1000
const queryOf = (search: Parameters<typeof filterOf>[0]) => histogramQuery(filterOf(search, true, noon))

test('a histogram is requested for the range and the filters that hourly sums support', () => {
  expect(queryOf({ range: 'week', model: 'gpt-4o', channel: 3 })).toMatchObject({
    start_timestamp: noon - 7 * 86_400,
    end_timestamp: noon + 3_600,
    granularity: 'hour',
    model_name: 'gpt-4o',
    channel: 3,
  })
  expect(queryOf({ range: 'month' })?.granularity).toBe('day')
})

test.each([
  ['type', { type: 6 }],
  ['group', { group: 'vip' }],
  ['error code', { error: 'upstream.failed' }],
  ['duration', { slow: 3 }],
  ['cost', { cost: 500 }],
  ['request id', { request: 'req-1' }],
  ['open beginning', { to: noon }],
])('there is no histogram of calls by %s, which hourly sums do not have', (_name, search) => {
  expect(queryOf(search)).toBeUndefined()
})

test.each([
  ['the last hour', { from: noon + 600, to: noon + 3_600 }],
  ['the first hours of a day', { from: noon, to: noon + 7_199 }],
])('there is no histogram of %s, which would have less than three bars', (_name, search) => {
  expect(queryOf(search)).toBeUndefined()
})

test('three hours, of which the first and the last have begun, have a histogram', () => {
  expect(queryOf({ from: noon + 3_599, to: noon + 7_200 })?.granularity).toBe('hour')
})

test('bars have the shortest distinct labels', () => {
  expect(barLabels([noon, noon + 3_600], 'hour')).toEqual(['12:00', '13:00'])
  expect(barLabels([noon, noon + 86_400], 'hour')).toEqual(['11-21 12:00', '11-22 12:00'])
  expect(barLabels([noon, noon + 86_400], 'day')).toEqual(['11-21', '11-22'])
})
