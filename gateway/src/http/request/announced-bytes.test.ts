import { expect, test } from 'bun:test'

import { announcedBytes } from './announced-bytes'

test.each([
  [null, null],
  ['0', 0],
  ['70000', 70_000],
  ['70000, 70000', 70_000],
  ['99999999999999999999', null],
  ['none', null],
])('the length %j announces %p bytes', (text, bytes) => {
  const headers = new Headers(text === null ? {} : { 'content-length': text })
  expect(announcedBytes({ headers })).toBe(bytes)
})
