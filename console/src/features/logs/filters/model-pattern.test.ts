import { expect, test } from 'bun:test'

import { modelPattern, shownModel } from './log-filters'

test.each([
  ['4o-mini', '%4o-mini%'],
  ['gpt-%', 'gpt-%'],
])('typing %s searches for %s', (typed, pattern) => {
  expect(modelPattern(typed)).toBe(pattern)
})

test('the field shows what was typed', () => {
  expect(['%4o-mini%', 'gpt-4o', 'gpt-%'].map(shownModel)).toEqual(['4o-mini', 'gpt-4o', 'gpt-%'])
})
