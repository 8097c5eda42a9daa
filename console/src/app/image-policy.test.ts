import { expect, test } from 'bun:test'

import { imagePolicy } from './image-policy'

test.each([
  ['', "img-src 'self' data: blob:"],
  ['/logo.png', "img-src 'self' data: blob:"],
  ['https://cdn.example/a/logo.png', "img-src 'self' data: blob: https://cdn.example"],
  ['https://', "img-src 'self' data: blob:"],
])('a logo at %p allows images of its own site only', (logo, policy) => {
  expect(imagePolicy(logo)).toBe(policy)
})
