import { usePriceWords } from '../../../domain/price/use-price-words'
import { formatDecimal } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useSite } from '../../../lib/api/status'
import { useFormat } from '../../../lib/text/use-format'
import classes from '../logs.module.css'
import { CostLine } from './cost-line'
import type { RatioFormula } from './ratio-formula'
import { writtenFormula } from './written-formula'

/** The cost as the formula of ratios with its numbers. */
export function RatioLines({ formula }: { readonly formula: RatioFormula }) {
  const { t } = useTranslation('logs')
  const { className } = usePriceWords()
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
  const { className } = usePriceWords()
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
