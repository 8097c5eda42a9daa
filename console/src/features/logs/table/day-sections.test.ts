import { expect, test } from 'bun:test'

import { dayName } from './logs-table'

const at = (...[year, month, ...rest]: [number, number, ...number[]]) =>
  new Date(year, month - 1, ...(rest as [number])).getTime() / 1000
const now = at(2026, 11, 23, 0, 30)

test.each([
  ['a row of this day', at(2026, 11, 23, 0, 0), 'Today', '今天'],
  ['a row of an hour ago, before midnight', at(2026, 11, 22, 23, 30), 'Yesterday', '昨天'],
  ['a row of the day before yesterday', at(2026, 11, 21, 12), 'Saturday, November 21', '11月21日星期六'],
  ['a row of last year', at(2025, 12, 31, 12), 'Wednesday, December 31, 2025', '2025年12月31日星期三'],
])('%s is listed below its day', (_name, time, english, chinese) => {
  expect(dayName(time, now, 'en')).toBe(english)
  expect(dayName(time, now, 'zh')).toBe(chinese)
})
