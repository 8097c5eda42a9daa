import { quotient, ratioBase } from '@tollgate/contract/price-formula'
import {
  ratioClasses,
  type ClassPrices,
  type ClassRatios,
  type PriceEntry,
  type PriceMode,
  type PriceTier,
  type VendorPrice,
} from '@tollgate/models'

/**
 * Returns a vendor's price in US dollars. `yuanRate`: yuan for one US dollar. Classes beside the input are ratios to it where those are
 * exact and the dollars may not be: 30 and 90 yuan have a ratio of 3 at any rate.
 */
export function inDollars({ currency, entry }: Pick<VendorPrice, 'currency' | 'entry'>, yuanRate: number): PriceEntry {
  if (currency === 'USD') return entry
  const converted = (prices: ClassPrices): ClassPrices =>
    Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, quotient(price, yuanRate)]))
  const tierIn = ({ prices, ...tier }: PriceTier): PriceTier => ({ ...tier, prices: converted(prices) })
  const modeIn = ({ prices, tiers, ...mode }: PriceMode): PriceMode => ({
    ...mode,
    ...(prices && { prices: converted(prices) }),
    ...(tiers && { tiers: tiers.map(tierIn) }),
  })
  const { prices, tiers, modes, ...others } = entry
  return {
    ...others,
    ...withRatios(prices, converted(prices)),
    ...(tiers && { tiers: tiers.map(tierIn) }),
    ...(modes && { modes: modes.map(modeIn) }),
  }
}

function withRatios(yuan: ClassPrices, dollars: ClassPrices): Pick<PriceEntry, 'prices' | 'ratios'> {
  const prices: { -readonly [Class in keyof ClassPrices]: ClassPrices[Class] } = { ...dollars }
  const ratios: { -readonly [Class in keyof ClassRatios]: number } = {}
  for (const name of ratioClasses) {
    const [price, base] = [yuan[name], yuan[ratioBase(name)] ?? yuan.input]
    if (price === undefined || !base || name === 'audio_in') continue
    const ratio = quotient(price, base)
    if (!isExact(ratio)) continue
    ratios[name] = ratio
    delete prices[name]
  }
  return { prices, ...(Object.keys(ratios).length > 0 && { ratios }) }
}

/** Fewer digits than `quotient` gives. */
const isExact = (ratio: number): boolean => Number(ratio.toPrecision(9)) === ratio
