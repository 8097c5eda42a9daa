import { tokenClasses, toolClasses, type PriceClass } from '@tollgate/contract'
import { classPrice, numberOf, quotient, usedClasses, type LoggedCharge } from '@tollgate/contract/price-formula'

/** Tokens of a class, weighted relative to plain input tokens. */
interface Term {
  readonly class: PriceClass
  readonly tokens: number
  /** 1 for a plain input token. */
  readonly ratio: number
}

/** Calls of a vendor's own tool, priced in dollars per thousand. */
interface ToolTerm {
  readonly class: PriceClass
  readonly calls: number
  readonly price: number
}

/** A charge in the words of ratios. */
export type RatioFormula = {
  readonly groupRatio: number
  /** Ratio of the service tier, of the hours and of an own login; 1: normal. */
  readonly tierRatio: number
  readonly tools: readonly ToolTerm[]
} & (
  | {
      readonly kind: 'per-call'
      readonly class: PriceClass
      /** US dollars. */
      readonly price: number
      /** How many images the price is charged for; 1 for a price per call. */
      readonly images: number
    }
  | { readonly kind: 'per-token'; readonly terms: readonly Term[]; readonly modelRatio: number }
)

/**
 * Returns a charge as (sum of tokens x ratio) x model ratio x group ratio, or price x quota per unit x group ratio, each times the ratio of
 * the service tier; tools add price / 1000 x calls. Undefined for a charge that ratios do not describe: by seconds or characters, or of a
 * model whose input is free.
 */
export function ratioFormula(charge: LoggedCharge): RatioFormula | undefined {
  const { group, mode, schedule, ownLogin } = charge.factors
  const used = usedClasses(charge).map(({ price, ...one }) => ({ ...one, price: numberOf(price) }))
  const tools = used.filter((one) => isOfTools.has(one.class)).map(({ amount, ...one }) => ({ ...one, calls: amount }))
  const others = used.filter((one) => !isOfTools.has(one.class))
  const common = { groupRatio: group, tierRatio: quotient(mode * schedule * ownLogin, 1), tools }
  const [first] = others
  if (others.length === 1 && first && (first.class === 'per_call' || first.class === 'per_image'))
    return { ...common, kind: 'per-call', class: first.class, price: first.price, images: first.amount }
  const input = classPrice(charge.basePrices, 'input')
  const inputPrice = input ? numberOf(input) : 0
  if (inputPrice === 0 || others.some((one) => !isOfTokens.has(one.class))) return undefined
  const terms = others.map(({ class: name, amount, price }) => ({
    class: name,
    tokens: amount,
    ratio: quotient(price, inputPrice),
  }))
  return { ...common, kind: 'per-token', terms, modelRatio: quotient(inputPrice, dollarsAtRatioOne) }
}

/** US dollars per million tokens. */
const dollarsAtRatioOne = 2

const isOfTokens: ReadonlySet<PriceClass> = new Set(tokenClasses)
const isOfTools: ReadonlySet<PriceClass> = new Set(toolClasses)
