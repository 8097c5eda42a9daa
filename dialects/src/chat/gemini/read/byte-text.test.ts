import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { ByteText } from './byte-text'

test('places in bytes become places in UTF-16 units, however the text was told', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'é', '字', '😀'), maxLength: 3000 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 4 }), fc.nat(), (pieces, at) => {
      const text = new ByteText()
      for (const one of pieces) text.append(one)
      const whole = pieces.join('')
      const characters = Array.from(whole)
      const before = characters.slice(0, characters.length === 0 ? 0 : at % characters.length).join('')
      expect(text.unitsBefore(Buffer.byteLength(before))).toBe(before.length)
      const rest = whole.slice(before.length)
      expect(text.holds(rest, Buffer.byteLength(before), Buffer.byteLength(whole))).toBe(true)
      expect(text.holds(`${rest}x`, Buffer.byteLength(before), Buffer.byteLength(whole))).toBe(false)
      expect(text.indexOf(whole)).toBe(0)
    }),
    { numRuns: 50 },
  )
})

test('a cleared text begins anew', () => {
  const text = new ByteText()
  text.append('first words')
  text.clear()
  text.append('ü')
  expect([text.unitsBefore(2), text.unitsBefore(99), text.indexOf('words')]).toEqual([1, 1, -1])
})
