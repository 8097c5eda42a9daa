import { expect, test } from 'bun:test'

import { mask } from './mask'

test.each([
  ['Incorrect API key provided: sk-abcdefgh1234.', 'Incorrect API key provided: [key].'],
  ['see https://api.vendor.example/v1?key=x for more', 'see [address] for more'],
  ['connect to 10.1.2.3:8080 failed', 'connect to [address] failed'],
  ['connect to [2001:db8::1:2:3]:443 failed', 'connect to [address] failed'],
  ['upstream.internal:8443 is down', '[address] is down'],
  ['Authorization: Bearer abc.def-ghi', 'Authorization: [key]'],
  ['AIzaSyA1234567890abcdef is wrong', '[key] is wrong'],
  ['at 12:30:15 try version 1.2.3', 'at 12:30:15 try version 1.2.3'],
  ['max_tokens must be at most 4096', 'max_tokens must be at most 4096'],
  ['a\0b', 'ab'],
])('%p is shown as %p', (message, shown) => expect(mask(message)).toBe(shown))

test('known secrets are hidden whatever they look like', () => {
  expect(mask('the key plainword is wrong', ['plainword'])).toBe('the key [key] is wrong')
})

test('what is masked stays as it is when it is masked again', () => {
  const once = mask('https://a.example/ sk-12345678 1.2.3.4', ['topsecret'])
  expect(mask(once, ['topsecret'])).toBe(once)
})

test('a long message is cut', () => expect(mask('x '.repeat(9000)).length).toBeLessThan(2100))
