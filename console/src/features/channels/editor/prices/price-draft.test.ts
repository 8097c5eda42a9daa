import { describe, expect, test } from 'bun:test'

import { partText, priceParts, typedPart } from './price-parts'
import { blankDraft, draftFaults, draftOf, applyText, withDrafts, withKind, withReset } from './price-draft'

const parts = { cache_read: 0.5, cache_write: 1.25, image: 1, audio_input: 8, audio_output: 2 }
const priced = draftOf({ model: 'm', kind: 'per-token', model_ratio: 1.25, completion_ratio: 4, model_price: 0, parts })
const noParts = { CacheRatio: {}, CreateCacheRatio: {}, ImageRatio: {}, AudioRatio: {}, AudioCompletionRatio: {} }
const tables = {
  ModelRatio: { m: 1.25, other: 9 },
  CompletionRatio: { other: 2 },
  ModelPrice: { m: 0.5, other: 1 },
  ...noParts,
}

describe('editing a price', () => {
  test('prices follow ratios and ratios follow prices', () => {
    expect(priced).toMatchObject({ input: '2.5', output: '10', ratio: '1.25', completion: '4' })
    expect(applyText(priced, 'ratio', '2')).toMatchObject({ input: '4', output: '16', completion: '4' })
    expect(applyText(priced, 'completion', '2')).toMatchObject({ input: '2.5', output: '5', ratio: '1.25' })
    expect(applyText(priced, 'input', '5')).toMatchObject({ ratio: '2.5', completion: '2', output: '10' })
    expect(applyText(priced, 'output', '5')).toMatchObject({ ratio: '1.25', completion: '2', input: '2.5' })
  })

  test('editing another field does not round a ratio with more places than a price shows', () => {
    const fine = applyText(priced, 'ratio', '0.123456789012')
    expect(applyText(fine, 'output', '1').ratio).toBe('0.123456789012')
  })

  test('an invalid number is reported at its field and changes nothing else', () => {
    const broken = applyText(priced, 'input', 'abc')
    expect(broken).toMatchObject({ ratio: '1.25', completion: '4', input: 'abc' })
    expect(draftFaults(broken)).toEqual({ input: 'number' })
    expect(draftFaults(applyText(priced, 'completion', '1e3'))).toEqual({ completion: 'number' })
    expect(draftFaults(withKind(priced, 'per-call'))).toEqual({ fixed: 'number' })
    expect(draftFaults(priced)).toEqual({})
  })

  test('a price of 0, or too small to be stored, is refused; a ratio of 0 makes a model free', () => {
    for (const text of ['0', '', '0.0000000000001']) {
      expect([text, draftFaults(applyText(priced, 'input', text)).input]).toEqual([text, 'zero'])
    }
    expect(draftFaults(applyText(priced, 'ratio', '0'))).toEqual({})
  })

  test('a model without a price requires both values', () => {
    const half = applyText(blankDraft('new'), 'input', '3')
    expect(draftFaults(half)).toEqual({ output: 'number' })
    expect(draftFaults(applyText(half, 'output', '6'))).toEqual({})
    expect(applyText(half, 'output', '6')).toMatchObject({ ratio: '1.5', completion: '2' })
  })
})

describe('storing prices', () => {
  test('only changes are written, and other models stay', () => {
    expect(withDrafts(tables, [priced])).toEqual(tables)
    expect(
      withDrafts(
        tables,
        [applyText(blankDraft('n'), 'ratio', '3')].map((one) => applyText(one, 'completion', '2')),
      ),
    ).toEqual({
      ModelRatio: { m: 1.25, other: 9, n: 3 },
      CompletionRatio: { other: 2, n: 2 },
      ModelPrice: tables.ModelPrice,
      ...noParts,
    })
  })

  test('a price by tokens removes the fixed one, a fixed one keeps the ratios', () => {
    expect(withDrafts(tables, [applyText(priced, 'ratio', '2')])).toEqual({
      ModelRatio: { m: 2, other: 9 },
      CompletionRatio: { m: 4, other: 2 },
      ModelPrice: { other: 1 },
      ...noParts,
    })
    expect(withDrafts(tables, [applyText(withKind(priced, 'per-call'), 'fixed', '0.04')])).toEqual({
      ...tables,
      ModelPrice: { m: 0.04, other: 1 },
    })
  })

  test('a reset removes the operator’s price from every table, until something is typed again', () => {
    const reset = withReset(applyText(priced, 'ratio', 'abc'))
    expect(draftFaults(reset)).toEqual({})
    expect(withDrafts(tables, [reset])).toEqual({
      ModelRatio: { other: 9 },
      CompletionRatio: { other: 2 },
      ModelPrice: { other: 1 },
      ...noParts,
    })
    expect(applyText(reset, 'ratio', '2')).toMatchObject({ isReset: false, ratio: '2' })
    expect(withKind(reset, reset.kind).isReset).toBe(false)
  })
})

describe('prices of caches, images and audio', () => {
  const textsOf = (draft: typeof priced) => priceParts.map((part) => partText(draft, part))

  test('part prices are dollars: ratios of the input price or, for audio output, of the audio price', () => {
    expect(textsOf(priced)).toEqual(['1.25', '3.125', '2.5', '20', '40'])
    expect(textsOf(blankDraft('new'))).toEqual(['', '', '', '', ''])
  })

  test('part prices follow their base price until they are typed', () => {
    expect(textsOf(applyText(priced, 'input', '5'))).toEqual(['2.5', '6.25', '5', '40', '80'])
    const own = typedPart(typedPart(priced, 'cacheRead', '1'), 'audioInput', '30')
    expect(textsOf(applyText(own, 'input', '5'))).toEqual(['1', '6.25', '5', '30', '60'])
  })

  test('part prices are stored as ratios, without other prices of the model', () => {
    const draft = typedPart(typedPart(priced, 'cacheRead', '0.25'), 'audioOutput', '10')
    expect(withDrafts(tables, [draft])).toEqual({
      ...tables,
      CacheRatio: { m: 0.1 },
      AudioCompletionRatio: { m: 0.5 },
    })
  })

  test('part ratios refer to the input price that is stored with them', () => {
    const draft = applyText(typedPart(priced, 'cacheRead', '1'), 'input', '4')
    expect(withDrafts(tables, [draft])).toMatchObject({ ModelRatio: { m: 2, other: 9 }, CacheRatio: { m: 0.25 } })
  })

  test('a cleared field restores the built-in ratio, and a reset restores all of them', () => {
    const set = { ...tables, CacheRatio: { m: 0.1, other: 0.2 }, ImageRatio: { m: 3 } }
    expect(withDrafts(set, [typedPart(priced, 'cacheRead', '')]).CacheRatio).toEqual({ other: 0.2 })
    const reset = withDrafts(set, [withReset(typedPart(priced, 'cacheRead', '7'))])
    expect([reset.CacheRatio, reset.ImageRatio]).toEqual([{ other: 0.2 }, {}])
  })

  test('an invalid part price, or a ratio of 0, is reported at its field', () => {
    expect(draftFaults(typedPart(priced, 'image', 'abc'))).toEqual({ image: 'number' })
    expect(draftFaults(typedPart(applyText(priced, 'ratio', '0'), 'image', '3'))).toEqual({ image: 'noBase' })
    expect(draftFaults(typedPart(blankDraft('new'), 'image', '3'))).toEqual({ image: 'noBase' })
    expect(draftFaults(typedPart(withKind(priced, 'per-call'), 'image', 'abc'))).toEqual({ fixed: 'number' })
  })
})
