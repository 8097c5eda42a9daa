import { catalogPriceOf, priceClasses, readPriceLine, reasonWithoutPrice } from '@tollgate/models'
import { priceLines, readLiteLlmPrices, readModelsDevPrices, sourceDates } from '@tollgate/models/lists'

import { defaultOptions } from '../../contract/src/index'
import { suggestedModels } from '../../gateway/src/channels/catalog/suggested-models'
import { listedEntry } from '../../gateway/src/billing/pricing/resolve-price'
import { providers } from '../../providers/src/index'

/*
 * Prints what the shipped prices and two price lists differ in: bun scripts/model-catalog/compare.ts LITELLM.json MODELS-DEV.json
 * Ends with 1 when anything differs by more than 0.1 % or a suggested model has neither a price nor a reason.
 */

const [liteLlmPath, modelsDevPath] = process.argv.slice(2)
if (liteLlmPath === undefined || modelsDevPath === undefined) {
  console.error('usage: bun scripts/model-catalog/compare.ts LITELLM.json MODELS-DEV.json')
  process.exit(1)
}

const liteLlm: unknown = await Bun.file(liteLlmPath).json()
const modelsDev: unknown = await Bun.file(modelsDevPath).json()
const dates = sourceDates(liteLlm, modelsDev)
const listed = priceLines([...readLiteLlmPrices(liteLlm), ...readModelsDevPrices(modelsDev)], dates)

let differing = 0
for (const line of listed) {
  const name = line.slice(0, line.indexOf(' '))
  const shipped = catalogPriceOf(name)
  const shippedPrice = readPriceLine(line)
  if (!shipped) {
    differing++
    console.log(`${name}: not shipped`)
    continue
  }
  for (const priceClass of priceClasses) {
    const [ours, theirs] = [shipped.prices[priceClass], shippedPrice.prices[priceClass]]
    if (ours === theirs) continue
    if (ours !== undefined && theirs !== undefined && Math.abs(ours - theirs) <= theirs * 1e-3) continue
    differing++
    console.log(`${name}: ${priceClass} is ${ours ?? 'not shipped'}, listed ${theirs ?? 'nowhere'}`)
  }
  for (const part of ['tiers', 'modes', 'schedules'] as const) {
    if (Bun.deepEquals(shipped[part], shippedPrice[part])) continue
    differing++
    console.log(`${name}: ${part} differ`)
  }
}

const suggested = [...new Set(providers.flatMap((provider) => suggestedModels(provider, '').names))]
const unpriced = suggested.filter((name) => listedEntry(defaultOptions, name) === null)
const unexplained = unpriced.filter((name) => reasonWithoutPrice(name) === null)

console.log(`${listed.length} prices compared, ${differing} differences`)
console.log(`${suggested.length} suggested names: ${suggested.length - unpriced.length} with a price`)
console.log(`${unpriced.length} to be set by the operator, ${unexplained.length} of them without a reason`)
for (const name of unexplained) console.log(`  ${name}`)
process.exit(differing + unexplained.length > 0 ? 1 : 0)
