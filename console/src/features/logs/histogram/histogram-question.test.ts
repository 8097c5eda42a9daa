import { expect, test } from 'bun:test'

import { barLabels, histogramQuestion } from './histogram'
import { filterOf } from '../log-query'

const noon = new Date(2026, 10, 21, 12).getTime() / 1000
const questionOf = (search: Parameters<typeof filterOf>[0]) => histogramQuestion(filterOf(search, true, noon))

test('a histogram is requested for the range and the filters that hourly sums support', () => {
  expect(questionOf({ range: 'week', model: 'gpt-4o', channel: 3 })).toMatchObject({
    start_timestamp: noon - 7 * 86_400,
    end_timestamp: noon + 3_600,
    granularity: 'hour',
    model_name: 'gpt-4o',
    channel: 3,
  })
  expect(questionOf({ range: 'month' })?.granularity).toBe('day')
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
  expect(questionOf(search)).toBeUndefined()
})

test('bars have the shortest distinct labels', () => {
  expect(barLabels([noon, noon + 3_600], 'hour')).toEqual(['12:00', '13:00'])
  expect(barLabels([noon, noon + 86_400], 'hour')).toEqual(['11-21 12:00', '11-22 12:00'])
  expect(barLabels([noon, noon + 86_400], 'day')).toEqual(['11-21', '11-22'])
})
