import { expect, test } from 'bun:test'

import { picturePolicy } from './picture-policy'

test.each([
  ['', "img-src 'self' data: blob:"],
  ['/logo.png', "img-src 'self' data: blob:"],
  ['https://cdn.example/a/logo.png', "img-src 'self' data: blob: https://cdn.example"],
  ['https://', "img-src 'self' data: blob:"],
])('a logo at %p allows images of its own site only', (logo, policy) => {
  expect(picturePolicy(logo)).toBe(policy)
})
