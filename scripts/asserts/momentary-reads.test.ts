import { expect, test } from 'bun:test'

import { momentaryReads } from './momentary-reads'

test('an assertion about what a page shows at one moment is found by its line', () => {
  const found = momentaryReads('await row.waitFor()\n  expect(await rows.count()).toBe(3)\n')
  expect(found).toEqual([{ line: 2, text: 'expect(await rows.count()).toBe(3)' }])
})

test.each([
  'await becomes(() => rows.count(), 3)',
  'expect(await accessibilityFaults(page)).toEqual([])',
  'const before = await rows.count()',
])('%s asserts no moment', (line) => {
  expect(momentaryReads(line)).toEqual([])
})
