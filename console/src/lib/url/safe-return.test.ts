import { expect, test } from 'bun:test'

import { safeReturn } from './safe-return'

test.each([
  ['/app/tokens?keyword=a', '/app/tokens?keyword=a'],
  ['//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['/\t/evil.example', undefined],
  ['https://evil.example', undefined],
  ['javascript:alert(1)', undefined],
  ['/login?returnTo=/login', undefined],
  [undefined, undefined],
])('%p leads to %p', (address, taken) => {
  expect(safeReturn(address)).toBe(taken)
})
