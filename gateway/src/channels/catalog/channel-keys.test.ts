import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { maskedKey } from './channel-keys'

test.each([
  ['sk-proj-0123456789abcdef', 'sk-…cdef'],
  ['AIzaSyB0123456789-wxyz', '…wxyz'],
  ['access|0123456789|us-east-1', '…st-1'],
  ['sk-short', ''],
  ['fifteen-letters', ''],
  ['{"type":"service_account","private_key":"secret"}', ''],
])('%s is masked as "%s"', (key, masked) => {
  expect(maskedKey(key)).toBe(masked)
})

test('a masked key never shows more than four characters of the secret', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), (key) => {
      const shown = maskedKey(key)
      expect(shown.replace(/^(?:sk-)?…/, '').length).toBeLessThanOrEqual(4)
      if (key.length < 16) expect(shown).toBe('')
    }),
  )
})
