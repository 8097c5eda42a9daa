import type { PriceClass, PriceEntry } from '@tollgate/contract'
import { costLines, exact, type CostLine } from '@tollgate/contract/price-formula'

import { billingOf, type BillingKind } from './billing'
import { variantOf, type Variant } from './variant'

/** Usage by class; each token belongs to one class. */
export type Amounts = { readonly [Class in PriceClass]?: number }

export interface Cost {
  readonly variant: Variant
  readonly lines: readonly CostLine[]
  readonly dollars: number
}

interface CallOf {
  readonly mode?: string
  readonly at?: number
  /** Multiplier of the group. */
  readonly factor?: number
}

const inputClasses: readonly PriceClass[] = [
  'input',
  'cache_read',
  'cache_read_audio',
  'cache_write_5m',
  'cache_write_1h',
  'image_in',
  'audio_in',
]

/** Returns the cost of a call with these amounts, by the gateway's formula. */
export function costOf(entry: PriceEntry, amounts: Amounts, { mode, at, factor = 1 }: CallOf = {}): Cost {
  const inputTokens = inputClasses.reduce((sum, name) => sum + (amounts[name] ?? 0), 0)
  const variant = variantOf(entry, { inputTokens, mode, at })
  const lines = costLines(exact(variant.prices), amounts, [...variant.factors, factor])
  return { variant, lines, dollars: lines.reduce((sum, { dollars }) => sum + dollars, 0) }
}

/** Returns the amounts of a typical call: tokens, and one of each unit that the model is billed by. */
export const usualAmounts = (entry: PriceEntry): Amounts => usual[billingOf(entry)]

const usual: Readonly<Record<BillingKind, Amounts>> = {
  volume: { input: 2000, output: 500 },
  call: { per_call: 1 },
  image: { per_image: 1 },
  second: { per_second: 60 },
  character: { per_character: 1000 },
}
