import { expect, test } from 'bun:test'

import { monthsBetween } from './months'

const now = new Date('2026-02-10T00:00:00Z')

test('months go back from the current one to the first, across the end of a year', () => {
  expect(monthsBetween('2025-11', '2026-02', now)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11'])
})

test('the displayed month is included, even before the first and after the current one', () => {
  expect(monthsBetween('2026-02', '2026-01', now)).toEqual(['2026-02', '2026-01'])
  expect(monthsBetween('2026-02', '2026-03', now)).toEqual(['2026-03', '2026-02'])
})
