import { tokenClasses, type PriceClass } from '@tollgate/contract'
import { decimal, numberOf, product, shareOf, usedClasses, type LoggedCharge } from '@tollgate/contract/price-formula'

interface DollarLine {
  readonly class: PriceClass
  readonly amount: number
  /** US dollars in the unit of a price entry. */
  readonly price: number
  readonly dollars: number
}

interface FactorLine {
  readonly kind: 'group' | 'mode' | 'schedule' | 'ownLogin'
  readonly factor: number
  /** What the factor adds or takes away. */
  readonly dollars: number
}

/** A charge as lines that add up to its total, to the last digit shown. */
export interface CostInDollars {
  readonly lines: readonly DollarLine[]
  /** The group always; modes, hours and own logins where they change the price. */
  readonly factors: readonly FactorLine[]
  /** What rounding to a whole unit of quota adds or takes away. */
  readonly rounding: number
  readonly total: number
  /** Decimals of every amount. */
  readonly digits: number
}

/** Quota that one dollar of tokens costs on every site; an amount is shown in the dollars of balances. */
const quotaOfTokenDollar = 500_000

/** Returns the lines of a charge of `quota`. */
export function costInDollars(charge: LoggedCharge, quota: number, quotaPerUnit: number): CostInDollars {
  const ofTokens = decimal(quotaOfTokenDollar / quotaPerUnit)
  const exactLines = usedClasses(charge).map(({ class: name, amount, price }) => {
    const shown = isOfTokens.has(name) ? product(price, ofTokens) : price
    const dollars = numberOf(product(shown, shareOf(name), decimal(amount)))
    return { class: name, amount, price: numberOf(shown), dollars }
  })
  const total = quota / quotaPerUnit
  const digits = digitsFor([...exactLines.map(({ dollars }) => dollars), total])
  // Whole numbers of the last digit, so that sums are exact.
  const whole = (dollars: number) => Math.round(dollars * 10 ** digits)
  const toDollars = (units: number) => units / 10 ** digits
  let sum = exactLines.reduce((before, { dollars }) => before + whole(dollars), 0)
  const factors: FactorLine[] = []
  for (const kind of ['group', 'mode', 'schedule', 'ownLogin'] as const) {
    const factor = charge.factors[kind]
    if (kind !== 'group' && factor === 1) continue
    const after = Math.round(sum * factor)
    factors.push({ kind, factor, dollars: toDollars(after - sum) })
    sum = after
  }
  return {
    lines: exactLines.map((line) => ({ ...line, dollars: toDollars(whole(line.dollars)) })),
    factors,
    rounding: toDollars(whole(total) - sum),
    total: toDollars(whole(total)),
    digits,
  }
}

const minDigits = 2
const usualDigits = 6
const maxDigits = 9

/** Returns decimals that show the amounts whole, or else three figures of the smallest one. */
function digitsFor(amounts: readonly number[]): number {
  const used = amounts.filter((amount) => amount > 0)
  if (used.length === 0) return minDigits
  const neededDigits = Math.max(minDigits, ...used.map((amount) => decimal(amount).places))
  const figures = 2 - Math.floor(Math.log10(Math.min(...used)))
  return Math.min(neededDigits, Math.max(usualDigits, Math.min(figures, maxDigits)))
}

const isOfTokens: ReadonlySet<PriceClass> = new Set(tokenClasses)
