import { expect, test } from 'bun:test'
import type { PriceEntry } from '@tollgate/contract'

import { unusualPrices } from './price-data'

const sale = { prices: { input: 0.15, output: 0.6 } }

test.each([
  ['a price typed for a thousand times the tokens', { prices: { input: 150, output: 0.6 } }, sale, null, ['input']],
  ['a hundred times the price', { prices: { input: 15 } }, sale, null, []],
  ['a price below a hundred times that of the list', { prices: { input: 150 } }, sale, { prices: { input: 2 } }, []],
  ['a ratio that makes the output dear', { prices: { input: 0.15 }, ratios: { output: 900 } }, sale, null, ['output']],
  ['a tier', { prices: {}, tiers: [{ above: 5, prices: { output: 61 } }] }, sale, null, ['output']],
  ['a mode', { prices: {}, modes: [{ name: 'm', match: {}, prices: { input: 16 } }] }, sale, null, ['input']],
  ['a first price', { prices: { per_call: 100.5 } }, null, null, ['per_call']],
  ['a first price of a model that was free', { prices: { input: 90 } }, { prices: { input: 0 } }, null, []],
] as const satisfies readonly (readonly [
  string,
  PriceEntry,
  PriceEntry | null,
  PriceEntry | null,
  readonly string[],
])[])('whether %s is unusual depends on the prices so far', (_, entry, before, list, found) => {
  expect(unusualPrices(entry, { sale: before, list }).map(([name]) => name)).toEqual([...found])
})
