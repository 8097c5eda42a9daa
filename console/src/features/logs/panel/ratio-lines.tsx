import classes from '../logs.module.css'
import { usePriceText } from '../../../domain/price/use-price-text'
import { formatDecimal } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useSite } from '../../../lib/api/status'
import { useFormat } from '../../../lib/text/use-format'
import { CostLine } from './cost-line'
import type { RatioFormula } from './ratio-formula'

/** The cost as the formula of ratios with its numbers. */
export function RatioLines({ formula }: { readonly formula: RatioFormula }) {
  const { t } = useTranslation('logs')
  const { className } = usePriceText()
  const { quota_per_unit: perUnit } = useSite()
  const { number } = useFormat()
  return (
    <>
      {formula.kind === 'per-token' ? (
        <TokenLines formula={formula} />
      ) : (
        <CostLine
          name={className(formula.class)}
          dollars={`${number(formula.images)} × $${formatDecimal(formula.price)} × ${number(perUnit)}`}
        />
      )}
      {formula.tools.map(({ class: name, calls, price }) => (
        <CostLine key={name} name={className(name)} dollars={`${number(calls)} × $${formatDecimal(price)} / 1,000`} />
      ))}
      <CostLine name={t('cost.groupRatio')} dollars={`× ${formatDecimal(formula.groupRatio)}`} />
      {formula.tierRatio !== 1 && (
        <CostLine name={t('cost.tierRatio')} dollars={`× ${formatDecimal(formula.tierRatio)}`} />
      )}
      <p className={classes.written}>{writtenFormula(formula, perUnit, number)}</p>
    </>
  )
}

function TokenLines({ formula }: { readonly formula: Extract<RatioFormula, { readonly kind: 'per-token' }> }) {
  const { t } = useTranslation('logs')
  const { className } = usePriceText()
  const { number } = useFormat()
  return (
    <>
      {formula.terms.map(({ class: name, tokens, ratio }) => (
        <CostLine
          key={name}
          name={className(name)}
          dollars={ratio === 1 ? number(tokens) : `${number(tokens)} × ${formatDecimal(ratio)}`}
        />
      ))}
      <CostLine name={t('cost.modelRatio')} dollars={`× ${formatDecimal(formula.modelRatio)}`} />
    </>
  )
}

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
