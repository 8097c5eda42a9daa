import { unitPriceText, type LogDetails } from '@tollgate/contract'

import { usePriceText } from '../../../domain/price/use-price-text'
import { useFormat } from '../../../lib/text/use-format'
import { formatDecimal, formatFixedDollars } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import { useSite } from '../../../lib/api/status'
import { tokensText } from '../../../lib/text/prices'
import classes from '../logs.module.css'
import type { CostInDollars } from './cost-in-dollars'
import { CostLine } from './cost-line'

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
  const { t } = useTranslation('logs')
  const { className, modeName, scheduleName } = usePriceText()
  const { number, language, dollars } = useFormat()
  const { quota_per_unit: perUnit } = useSite()
  const amount = (value: number) => formatFixedDollars(value, digits, language)
  const change = (value: number) => (value === 0 ? undefined : `${value > 0 ? '+' : ''}${amount(value)}`)
  const { price_mode: mode, price_schedule: schedule, service_tier: tier, price_tier: above } = details
  const names = {
    group: t('cost.group', { group }),
    mode: t('cost.mode', { name: mode === undefined ? (tier ?? '') : modeName({ name: mode }) }),
    schedule: t('cost.schedule', { name: scheduleName({ name: schedule ?? '' }) }),
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
          name={isMinimum ? t('cost.least') : t('cost.rounding', { unit: dollars(1 / perUnit) })}
          dollars={change(rounding)}
        />
      )}
      {above !== undefined && <p className={classes.written}>{t('cost.tier', { tokens: tokensText(above) })}</p>}
    </>
  )
}
