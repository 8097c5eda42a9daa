import { priceClasses, toolClasses, type PriceClass, type PriceEntry } from '@tollgate/contract'

import { amountOfPrice, billingOf, type BillingKind } from './billing'
import { priceOf, variantOf, type Variant } from './variant'

/** How much of each class a call uses; each token is of one class. */
export type Amounts = { readonly [Class in PriceClass]?: number }

/** One line of what a call costs. */
interface CostLine {
  readonly class: PriceClass
  readonly amount: number
  /** US dollars, with every factor. */
  readonly price: number
  readonly dollars: number
}

export interface Cost {
  readonly variant: Variant
  readonly lines: readonly CostLine[]
  readonly dollars: number
}

interface CallOf {
  readonly mode?: string
  readonly at?: number
  /** Of the group. */
  readonly factor?: number
}

const inputClasses: readonly PriceClass[] = [
  'input',
  'cache_read',
  'cache_write_5m',
  'cache_write_1h',
  'image_in',
  'audio_in',
]

/** Returns what a call of such amounts costs. An estimate in binary fractions: the gateway charges in exact ones. */
export function costOf(entry: PriceEntry, amounts: Amounts, { mode, at, factor = 1 }: CallOf = {}): Cost {
  const inputTokens = inputClasses.reduce((sum, name) => sum + (amounts[name] ?? 0), 0)
  const variant = variantOf(entry, { inputTokens, mode, at })
  const isByCall = variant.prices.per_call !== undefined
  const lines = priceClasses.flatMap((name) => {
    const isCharged = !isByCall || name === 'per_call' || tools.has(name)
    const amount = isByCall && name === 'per_call' ? 1 : (amounts[name] ?? 0)
    return isCharged ? linesOf(name, amount, variant, factor) : []
  })
  return { variant, lines, dollars: lines.reduce((sum, { dollars }) => sum + dollars, 0) }
}

const tools: ReadonlySet<PriceClass> = new Set(toolClasses)

function linesOf(name: PriceClass, amount: number, { prices, factor }: Variant, group: number): CostLine[] {
  const price = priceOf(prices, name)
  if (price === undefined || amount === 0) return []
  const full = price * factor * group
  return [{ class: name, amount, price: full, dollars: (full * amount) / amountOfPrice(name) }]
}

/** What a call of a model uses that nobody told more of: tokens, and one of each unit it is billed by. */
export const usualAmounts = (entry: PriceEntry): Amounts => usual[billingOf(entry)]

const usual: Readonly<Record<BillingKind, Amounts>> = {
  volume: { input: 2000, output: 500 },
  call: { per_call: 1 },
  image: { per_image: 1 },
  second: { per_second: 60 },
  character: { per_character: 1000 },
}
