import { describe, expect, test } from 'bun:test'

import { blankDraft, draftFaults, draftOf, typed, withDrafts, withKind, withReset } from './price-draft'

const priced = draftOf({ model: 'm', kind: 'per-token', model_ratio: 1.25, completion_ratio: 4, model_price: 0 })
const tables = { ModelRatio: { m: 1.25, other: 9 }, CompletionRatio: { other: 2 }, ModelPrice: { m: 0.5, other: 1 } }

describe('editing a price', () => {
  test('prices follow ratios and ratios follow prices', () => {
    expect(priced).toMatchObject({ input: '2.5', output: '10', ratio: '1.25', completion: '4' })
    expect(typed(priced, 'ratio', '2')).toMatchObject({ input: '4', output: '16', completion: '4' })
    expect(typed(priced, 'completion', '2')).toMatchObject({ input: '2.5', output: '5', ratio: '1.25' })
    expect(typed(priced, 'input', '5')).toMatchObject({ ratio: '2.5', completion: '2', output: '10' })
    expect(typed(priced, 'output', '5')).toMatchObject({ ratio: '1.25', completion: '2', input: '2.5' })
  })

  test('a ratio with more places than a price shows is not rounded by another field', () => {
    const fine = typed(priced, 'ratio', '0.123456789012')
    expect(typed(fine, 'output', '1').ratio).toBe('0.123456789012')
  })

  test('what is no number is said at its field, and nothing else changes', () => {
    const broken = typed(priced, 'input', 'abc')
    expect(broken).toMatchObject({ ratio: '1.25', completion: '4', input: 'abc' })
    expect(draftFaults(broken)).toEqual({ input: 'number' })
    expect(draftFaults(typed(priced, 'completion', '1e3'))).toEqual({ completion: 'number' })
    expect(draftFaults(withKind(priced, 'per-call'))).toEqual({ fixed: 'number' })
    expect(draftFaults(priced)).toEqual({})
  })

  test('a price of nothing, or too small to be kept, is refused; a ratio of nothing is a free model', () => {
    for (const text of ['0', '', '0.0000000000001']) {
      expect([text, draftFaults(typed(priced, 'input', text)).input]).toEqual([text, 'zero'])
    }
    expect(draftFaults(typed(priced, 'ratio', '0'))).toEqual({})
  })

  test('a model without a price needs both figures', () => {
    const half = typed(blankDraft('new'), 'input', '3')
    expect(draftFaults(half)).toEqual({ output: 'number' })
    expect(draftFaults(typed(half, 'output', '6'))).toEqual({})
    expect(typed(half, 'output', '6')).toMatchObject({ ratio: '1.5', completion: '2' })
  })
})

describe('storing prices', () => {
  test('only what was changed is written, other models stay', () => {
    expect(withDrafts(tables, [priced])).toEqual(tables)
    expect(
      withDrafts(
        tables,
        [typed(blankDraft('n'), 'ratio', '3')].map((one) => typed(one, 'completion', '2')),
      ),
    ).toEqual({
      ModelRatio: { m: 1.25, other: 9, n: 3 },
      CompletionRatio: { other: 2, n: 2 },
      ModelPrice: tables.ModelPrice,
    })
  })

  test('a price by volume removes the fixed one, a fixed one keeps the ratios', () => {
    expect(withDrafts(tables, [typed(priced, 'ratio', '2')])).toEqual({
      ModelRatio: { m: 2, other: 9 },
      CompletionRatio: { m: 4, other: 2 },
      ModelPrice: { other: 1 },
    })
    expect(withDrafts(tables, [typed(withKind(priced, 'per-call'), 'fixed', '0.04')])).toEqual({
      ...tables,
      ModelPrice: { m: 0.04, other: 1 },
    })
  })

  test('a reset takes the operator’s own price out of every table, until something is typed again', () => {
    const reset = withReset(typed(priced, 'ratio', 'abc'))
    expect(draftFaults(reset)).toEqual({})
    expect(withDrafts(tables, [reset])).toEqual({
      ModelRatio: { other: 9 },
      CompletionRatio: { other: 2 },
      ModelPrice: { other: 1 },
    })
    expect(typed(reset, 'ratio', '2')).toMatchObject({ isReset: false, ratio: '2' })
    expect(withKind(reset, reset.kind).isReset).toBe(false)
  })
})
