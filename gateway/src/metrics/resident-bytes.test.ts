import { expect, spyOn, test } from 'bun:test'

import { residentBytes } from './resident-bytes'

test('resident memory is the last that was read while it cannot be read', () => {
  using rss = spyOn(process.memoryUsage, 'rss').mockReturnValueOnce(123_456_789)
  expect(residentBytes()).toBe(123_456_789)
  rss.mockImplementationOnce(() => {
    throw new Error('Failed to get memory usage')
  })
  expect(residentBytes()).toBe(123_456_789)
})
