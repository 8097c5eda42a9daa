import { expect, test } from 'bun:test'

import { findDisagreements } from './disagreements'

const price = (source: string, input: number) => ({ source, name: 'acme-1', prices: { input } })

test('two of three sources that differ by more than a factor of 3 disagree', () => {
  expect(findDisagreements([price('a', 1), price('b', 2), price('c', 3.1)])).toEqual([
    { name: 'acme-1', value: 'input: a 1, c 3.1' },
  ])
})

test('sources that differ by a factor of 3 or less, or do not know the price, agree', () => {
  expect(findDisagreements([price('a', 1), price('b', 3), price('c', 0)])).toEqual([])
  expect(findDisagreements([price('a', 1), { ...price('b', 9), name: 'acme-2' }])).toEqual([])
})
