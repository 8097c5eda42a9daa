import { formatDecimal } from '../../../lib/text/format'
import type { RatioFormula } from './ratio-formula'

/** Returns `(600 + 400 × 0.5 + 100 × 4) × 1.25 × 1`: the formula on one line, as typed into a calculator. */
export function writtenFormula(formula: RatioFormula, quotaPerUnit: number, number: (value: number) => string): string {
  const product = (first: string, ...factors: readonly number[]) => [first, ...factors.map(decimal)].join(' × ')
  const unit = number(quotaPerUnit)
  const tools = formula.tools.map(({ calls, price }) => `${number(calls)} × ${decimal(price)} / 1,000 × ${unit}`)
  const base =
    formula.kind === 'per-call'
      ? `${formula.images > 1 ? `${number(formula.images)} × ` : ''}${decimal(formula.price)} × ${unit}`
      : product(
          inBrackets(
            formula.terms.map(({ tokens, ratio }) => product(number(tokens), ...(ratio === 1 ? [] : [ratio]))),
          ),
          formula.modelRatio,
        )
  const tier = formula.tierRatio === 1 ? [] : [formula.tierRatio]
  return product(tools.length > 0 ? inBrackets([base, ...tools]) : base, formula.groupRatio, ...tier)
}

const decimal = (value: number) => formatDecimal(value, 12)

function inBrackets(summands: readonly string[]): string {
  const [first = '0', ...others] = summands
  const isOneNumber = others.length === 0 && /^[\d,]+$/.test(first)
  return isOneNumber ? first : `(${summands.join(' + ')})`
}
