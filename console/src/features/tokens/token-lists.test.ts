import { expect, test } from 'bun:test'

import { addressesOf, isAddressOrRange, modelsOf } from './token-lists'

test.each([
  ['10.0.0.1', true],
  ['0.0.0.0/0', true],
  ['192.168.0.0/16', true],
  ['::1', true],
  ['2001:db8::/32', true],
  ['::ffff:10.0.0.1', true],
  ['10.0.0', false],
  ['10.0.0.256', false],
  ['010.0.0.1', false],
  ['10.0.0.1/33', false],
  ['10.0.0.1/8/8', false],
  ['2001:db8::/129', false],
  ['10.0.0.1/', false],
  [':::', false],
  ['1::2::3', false],
  ['localhost', false],
  ['', false],
])('%p is an address or range: %p', (text, is) => {
  expect(isAddressOrRange(text)).toBe(is)
})

test('lists are read without what is empty', () => {
  expect(modelsOf(' a, b,,')).toEqual(['a', 'b'])
  expect(addressesOf('10.0.0.1\n\n ::1 \n')).toEqual(['10.0.0.1', '::1'])
})
