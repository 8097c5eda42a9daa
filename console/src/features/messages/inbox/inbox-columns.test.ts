import { expect, test } from 'bun:test'

import { messageTime } from './inbox-columns'

const at = (text: string) => new Date(text).getTime() / 1000
const sent = at('2026-11-18T07:02:54')

test.each([
  ['07:02', sent, 'en'],
  ['07:02', sent + 86_399, 'zh'],
  ['Wednesday', sent + 86_400, 'en'],
  ['星期三', sent + 86_400, 'zh'],
  ['Wednesday', sent + 7 * 86_400 - 1, 'en'],
  ['2026-11-18', sent + 7 * 86_400, 'en'],
  ['2026-11-18', sent + 7 * 86_400, 'zh'],
  // The clocks of two machines differ.
  ['07:02', sent - 30, 'en'],
] as const)('the time reads %s at %d', (shown, now, language) => {
  expect(messageTime(sent, now, language)).toBe(shown)
})
