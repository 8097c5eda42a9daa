import { expect, test } from 'bun:test'

import { isAddressOrRange } from './address-range'

test.each(['10.0.0.1', '0.0.0.0', '255.255.255.255', '::1', '::', '2001:db8::1', '::ffff:10.0.0.1'])(
  '%s is an address',
  (text) => {
    expect(isAddressOrRange(text)).toBe(true)
  },
)

test.each(['10.0.0.0/8', '10.0.0.1/32', '0.0.0.0/0', '2001:db8::/32', '::/0', '::1/128'])('%s is a range', (text) => {
  expect(isAddressOrRange(text)).toBe(true)
})

test.each([
  '',
  'localhost',
  '10',
  '10.1',
  '10.0.0',
  '10.0.0.256',
  '010.0.0.1',
  '0x0a.0.0.1',
  '10.0.0.1.1',
  '10.0.0.1/33',
  '10.0.0.0/',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  ' 10.0.0.1',
  '[::1]',
  ':::',
  '::1/129',
  '1::2::3',
  'fe80::1%eth0',
])('%p is neither an address nor a range', (text) => {
  expect(isAddressOrRange(text)).toBe(false)
})
