import { expect, test } from 'bun:test'

import { modelPattern, shownModel } from './model-pattern'

test.each([
  ['gpt-4o', 'gpt-4o'],
  ['4o-mini', '%4o-mini%'],
  ['gpt-%', 'gpt-%'],
  ['', undefined],
])('a typed model %s asks for %s', (typed, pattern) => {
  expect(modelPattern(typed, ['gpt-4o', 'gpt-4o-mini'])).toBe(pattern)
})

test('the field shows what was typed', () => {
  expect(['%4o-mini%', 'gpt-4o', 'gpt-%', undefined].map(shownModel)).toEqual(['4o-mini', 'gpt-4o', 'gpt-%', undefined])
})
