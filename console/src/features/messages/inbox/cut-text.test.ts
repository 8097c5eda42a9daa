import { expect, test } from 'bun:test'

import { cutText } from './inbox-columns'

test.each([
  ['x'.repeat(100), 'x'.repeat(100)],
  ['x'.repeat(101), `${'x'.repeat(97)}...`],
  ['好'.repeat(101), `${'好'.repeat(97)}...`],
  ['😀'.repeat(101), `${'😀'.repeat(97)}...`],
])('a text of more than 100 characters is cut to 97 and an ellipsis', (text, cut) => {
  expect(cutText(text, 100)).toBe(cut)
})
