import { expect, test } from 'bun:test'

import { addressesOf, modelsOf } from './token-text'

test('lists are read without empty entries', () => {
  expect(modelsOf(' a, b,,')).toEqual(['a', 'b'])
  expect(addressesOf('10.0.0.1\n\n ::1 \n')).toEqual(['10.0.0.1', '::1'])
})
