import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { createSeal } from './seal'

const secretOf = (name: string) => new TextEncoder().encode(`an obviously fake secret: ${name}`)
const mine = createSeal(secretOf('mine'))
const here = 'channels.key_sealed#1'

describe('a sealed text', () => {
  test('a sealed text is decrypted in its own place, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (plain) => {
        expect(mine.open(mine.seal(plain, here), here)).toBe(Buffer.from(plain).toString('utf8'))
      }),
    )
  })

  test('a sealed text is not decrypted in another row, column or table, nor without a place', () => {
    const sealed = mine.seal('sk-1', here)
    for (const context of ['channels.key_sealed#2', 'tokens.key_sealed#1', 'options.value#1', undefined] as const) {
      expect(() => mine.open(sealed, context)).toThrow()
    }
  })

  test('a text sealed by an earlier release is decrypted anywhere, until it is resealed', () => {
    const sealed = mine.seal('sk-1')
    expect(sealed).toStartWith('v1.')
    expect([mine.open(sealed), mine.open(sealed, here)]).toEqual(['sk-1', 'sk-1'])
    expect([mine.isCurrent(sealed), mine.isCurrent(mine.seal('sk-1', here))]).toEqual([false, true])
  })

  test('a sealed text is decrypted with no other key, and with the previous one while that is configured', () => {
    const next = createSeal(secretOf('next'))
    const both = createSeal(secretOf('next'), secretOf('mine'))
    for (const sealed of [mine.seal('sk-1', here), mine.seal('sk-1')]) {
      expect(() => next.open(sealed, here)).toThrow()
      expect(both.open(sealed, here)).toBe('sk-1')
      expect(both.isCurrent(sealed)).toBe(false)
    }
    expect(next.open(both.seal('sk-1', here), here)).toBe('sk-1')
  })

  test('a sealed text with a changed character is not decrypted', () => {
    const sealed = mine.seal('sk-1', here)
    const other = sealed.at(-2) === 'A' ? 'B' : 'A'
    expect(() => mine.open(sealed.slice(0, -2) + other + sealed.slice(-1), here)).toThrow()
    for (const text of ['', 'v1.', 'v2.', 'v2.00000000.', 'sk-1']) expect(() => mine.open(text, here)).toThrow()
  })
})
