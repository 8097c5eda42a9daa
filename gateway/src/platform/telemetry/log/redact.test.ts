import { expect, test } from 'bun:test'

import { replaceWebTokens } from './redact'

test.each([
  ['Bearer eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl!', 'Bearer [key]!'],
  ['eyJhbGciOiJIUzI1.eyJzdWIiOiIx', '[key]'],
  ['x-eyJhbGciOiJIUzI1.e30. and eyJhbGciOiJIUzI2.e30.abc', 'x-[key] and [key]'],
  ['aeyJhbGciOiJIUzI1.e30', 'aeyJhbGciOiJIUzI1.e30'],
  ['eyJshort.e30', 'eyJshort.e30'],
  ['eyJhbGciOiJIUzI1 . eyJhbGciOiJIUzI1.', 'eyJhbGciOiJIUzI1 . eyJhbGciOiJIUzI1.'],
  ['eyJ-eyJhbGciOiJIUzI1.e30', '[key]'],
])('web tokens in %j are replaced', (text, shown) => {
  expect(replaceWebTokens(text, '[key]')).toBe(shown)
})
