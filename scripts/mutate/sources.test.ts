import { expect, test } from 'bun:test'

import { sourcesIn } from './sources'

test('a folder stands for its sources, without tests', () => {
  expect(sourcesIn('.', 'scripts/mutate')).toContain('scripts/mutate/sources.ts')
  expect(sourcesIn('.', 'scripts/mutate').filter((file) => file.includes('.test.'))).toEqual([])
  expect(sourcesIn('.', 'scripts/mutate/sources.ts')).toEqual(['scripts/mutate/sources.ts'])
})

test('tests and what helps them are not sources', () => {
  expect(() => sourcesIn('.', 'gateway/test')).toThrow('There are no sources in gateway/test')
})
