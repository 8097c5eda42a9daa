import { type LogDetails, unitPriceText } from '@tollgate/contract'

import { usePriceText } from '../../../domain/price/use-price-text'
import { useFormat } from '../../../lib/text/use-format'
import { formatDecimal, formatFixedDollars } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useSite } from '../../../lib/api/status'
import { tokensText } from '../../../lib/text/prices'
import classes from '../logs.module.css'
import type { CostInDollars } from './cost-in-dollars'
import type { RatioFormula } from './ratio-formula'

interface DollarLinesProps {
  readonly cost: CostInDollars
  /** The call was raised to the minimum charge. */
  readonly isMinimum: boolean
  readonly group: string
  readonly details: LogDetails
}

/** Tokens, price per million and amount, a line per class; then the factors. The amounts add up to the total. */
export function DollarLines({
  cost: { lines, factors, rounding, digits },
  isMinimum,
  group,
  details,
}: DollarLinesProps) {
  const { t } = useTranslation('call-cost')
  const { className, modeName, scheduleName } = usePriceText()
  const { number, language, dollars } = useFormat()
  const { quota_per_unit: perUnit } = useSite()
  const amount = (value: number) => formatFixedDollars(value, digits, language)
  const change = (value: number) => (value === 0 ? undefined : `${value > 0 ? '+' : ''}${amount(value)}`)
  const { price_mode: mode, price_schedule: schedule, service_tier: tier, price_tier: above } = details
  const names = {
    group: t('group', { group }),
    mode: t('mode', { name: mode === undefined ? (tier ?? '') : modeName({ name: mode }) }),
    schedule: t('schedule', { name: scheduleName({ name: schedule ?? '' }) }),
    ownLogin: t('ownLogin'),
  }
  return (
    <>
      {lines.map((line) => (
        <CostLine
          key={line.class}
          name={className(line.class)}
          factors={`${number(line.amount)} × ${unitPriceText(line.class, line.price)}`}
          dollars={amount(line.dollars)}
        />
      ))}
      {factors.map(({ kind, factor, dollars: effect }) => (
        <CostLine key={kind} name={names[kind]} factors={`×${formatDecimal(factor)}`} dollars={change(effect)} />
      ))}
      {rounding !== 0 && (
        <CostLine
          name={isMinimum ? t('least') : t('rounding', { unit: dollars(1 / perUnit) })}
          dollars={change(rounding)}
        />
      )}
      {above !== undefined && <p className={classes.written}>{t('tier', { tokens: tokensText(above) })}</p>}
    </>
  )
}

/** The cost as the formula of ratios with its numbers. */
export function RatioLines({ formula }: { readonly formula: RatioFormula }) {
  const { t } = useTranslation('call-cost')
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
      <CostLine name={t('groupRatio')} dollars={`× ${formatDecimal(formula.groupRatio)}`} />
      {formula.tierRatio !== 1 && <CostLine name={t('tierRatio')} dollars={`× ${formatDecimal(formula.tierRatio)}`} />}
      <p className={classes.written}>{writtenFormula(formula, perUnit, number)}</p>
    </>
  )
}

function TokenLines({ formula }: { readonly formula: Extract<RatioFormula, { readonly kind: 'per-token' }> }) {
  const { t } = useTranslation('call-cost')
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
      <CostLine name={t('modelRatio')} dollars={`× ${formatDecimal(formula.modelRatio)}`} />
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

interface CostLineProps {
  readonly name: string
  /** How the amount comes about: `4,176 × $0.15/M`. */
  readonly factors?: string
  readonly dollars?: string
  readonly isTotal?: boolean
}

/** One line of a cost. The amounts stand below each other. */
export const CostLine = ({ name, factors, dollars, isTotal }: CostLineProps) => (
  <div className={classes.formulaLine} data-is-total={isTotal || undefined}>
    <span>{name}</span>
    {factors && <span className={classes.factors}>{factors}</span>}
    {dollars && <span className="figures">{dollars}</span>}
  </div>
)
