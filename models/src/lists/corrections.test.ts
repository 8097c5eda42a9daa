import { expect, test } from 'bun:test'

import { readPriceLine } from '../index'
import { correctEntry, corrections } from './corrections'
import { priceLines } from './price-lines'

const dates = { liteLlm: '2026-11-20', modelsDev: '2026-07-02' }

test('a known error of a list is corrected wherever the list is read', () => {
  const entry = { prices: { input: 100, output: 0 } }
  const name = 'embed-multilingual-light-v3.0'
  expect(priceLines([{ source: 'litellm', host: 'cohere', name, entry, retiresOn: null }], dates)).toEqual([
    `${name} i0.1 o0`,
  ])
})

test.each(corrections.map((correction) => [correction.name, correction] as const))(
  'the correction of %s ends when the list is mended, and has a source with a date',
  (name, { listed, price, source, date }) => {
    const wrong = readPriceLine(`x ${listed}`)
    expect(correctEntry(name, wrong)).toEqual(readPriceLine(`x ${price}`))
    const mended = { prices: { ...wrong.prices, input: 7 } }
    expect(correctEntry(name, mended)).toBe(mended)
    expect(source).not.toBeEmpty()
    expect(date).toMatch(/^2026-\d\d-\d\d$/)
  },
)
