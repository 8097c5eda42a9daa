import { catalogPriceOf, vendorPrices, type ClassPrices } from '@tollgate/models'

import { defaultOptions } from '../contract/src/index'
import { inPrices } from '../contract/src/pricing/price-formula/index'
import { inDollars } from '../gateway/src/billing/pricing/list-price'
import { findDisagreements, type SourcePrice } from './model-catalog/disagreements'
import { disagreementReasons } from './model-catalog/disagreement-reasons'

/*
 * Compares the shipped prices with the three sources of which the repository keeps the figures: LiteLLM's and models.dev's lists
 * (source-prices.txt) and the vendors' own pages (models/src/vendor-prices). Fails where two of them differ by a factor above 3 without a
 * reason in disagreement-reasons.ts, and for a reason that nothing needs.
 */

const path = `${import.meta.dir}/model-catalog/source-prices.txt`
const listed = (await Bun.file(path).text())
  .trim()
  .split('\n')
  .flatMap((line): SourcePrice[] => {
    const [name = '', ...figures] = line.split(' ')
    const [liteInput, liteOutput, devInput, devOutput] = figures.map(Number)
    return [
      { source: 'LiteLLM', name, prices: { input: liteInput, output: liteOutput } },
      { source: 'models.dev', name, prices: { input: devInput, output: devOutput } },
    ]
  })
const sold = vendorPrices().map((price): SourcePrice => {
  const { prices } = inPrices(inDollars(price, defaultOptions.ListPriceYuanRate))
  return { source: `${price.vendor} ${price.region}`, name: price.name, prices }
})
const names = new Set([...listed, ...sold].map(({ name }) => name))
const shipped = [...names].flatMap((name): SourcePrice[] => {
  const prices: ClassPrices | undefined = catalogPriceOf(name)?.prices
  return prices ? [{ source: 'the catalog', name, prices }] : []
})

const found = findDisagreements([...shipped, ...listed, ...sold])
const needed = new Set(found.map(({ name }) => name))
const faults = [
  ...found
    .filter(({ name }) => !disagreementReasons.has(name))
    .map(({ name, value: difference }) => `${name}: ${difference}`),
  ...[...disagreementReasons.keys()]
    .filter((name) => !needed.has(name))
    .map((name) => `${name}: has a needless reason`),
]
for (const fault of faults) console.error(fault)
process.exit(faults.length > 0 ? 1 : 0)
