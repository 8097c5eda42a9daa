import { NumberInput, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { useSite } from '../../lib/api/status'
import { useFormat } from '../../lib/text/use-format'
import { useTyped } from '../../lib/text/use-typed'
import { DollarInput, type DollarInputProps } from './dollar-input'

export interface MoneyInputProps extends Omit<
  DollarInputProps,
  'value' | 'onChange' | 'allowDecimal' | 'inputContainer'
> {
  /** Quota units; an empty string is an empty field. */
  readonly value?: number | string
  readonly onChange: (quota: number | string) => void
}

/** A quota typed in the unit that the site shows: in dollars, or in units of quota. The other one is shown below. */
export function MoneyInput({ value = '', onChange, ...input }: MoneyInputProps) {
  const { t } = useTranslation()
  const { number, quotaInDollars } = useFormat()
  const { quota_per_unit: quotaPerDollar, display_in_currency: isCurrency } = useSite()
  const quota = isTypedAmount(value) ? Number(value) : ''
  const [dollars, setDollars] = useTyped(quota, onChange, {
    show: (units): number | string => (units === '' ? '' : typedDollars(units, quotaPerDollar)),
    read: (typed) => (isTypedAmount(typed) ? quotaOfTyped(typed, quotaPerDollar) : ''),
  })
  const withOther = (other: string) => (field: ReactNode) => (
    <div>
      {field}
      {quota !== '' && (
        <Text size="xs" c="dimmed" mt={4} className="figures">
          {other}
        </Text>
      )}
    </div>
  )
  const units = t('money.units', { units: number(Number(quota)) })
  if (isCurrency)
    return <DollarInput {...input} value={dollars} onChange={setDollars} inputContainer={withOther(units)} />
  return (
    <NumberInput
      allowNegative={false}
      hideControls
      {...input}
      allowDecimal={false}
      thousandSeparator=","
      value={quota}
      onChange={onChange}
      inputContainer={withOther(quotaInDollars(Number(quota)))}
    />
  )
}

/** Returns quota as dollars without a sign for the currency, as a field shows it. */
export const typedDollars = (quota: number, quotaPerDollar: number): string =>
  String(Number((quota / quotaPerDollar).toFixed(6)))

/** Returns typed dollars in whole units of quota. */
export const quotaOfTyped = (dollars: number | string, quotaPerDollar: number): number =>
  Math.round(Number(dollars) * quotaPerDollar)

/** Whether something is typed, and is a number. */
export const isTypedAmount = (value: number | string): boolean =>
  String(value).trim() !== '' && Number.isFinite(Number(value))
