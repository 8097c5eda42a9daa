import { Text } from '@mantine/core'

import { useTranslation } from '../../lib/i18n'
import { useSite } from '../../lib/status'
import { isTypedAmount, quotaOfTyped, typedDollars } from '../../lib/typed-money'
import { useFormat } from '../../lib/use-format'
import { useTyped } from '../../lib/use-typed'
import { DollarInput, type DollarInputProps } from './dollar-input'

export interface MoneyInputProps extends Omit<
  DollarInputProps,
  'value' | 'onChange' | 'allowDecimal' | 'inputContainer'
> {
  /** Quota units; an empty string is an empty field. */
  readonly value?: number | string
  readonly onChange: (quota: number | string) => void
}

/** A quota typed in dollars. The stored value in quota units is shown below. */
export function MoneyInput({ value = '', onChange, ...input }: MoneyInputProps) {
  const { t } = useTranslation()
  const { number } = useFormat()
  const { quota_per_unit: quotaPerDollar } = useSite()
  const quota = isTypedAmount(value) ? Number(value) : ''
  const [dollars, setDollars] = useTyped(quota, onChange, {
    show: (units): number | string => (units === '' ? '' : typedDollars(units, quotaPerDollar)),
    read: (typed) => (isTypedAmount(typed) ? quotaOfTyped(typed, quotaPerDollar) : ''),
  })
  return (
    <DollarInput
      {...input}
      value={dollars}
      onChange={setDollars}
      inputContainer={(field) => (
        <div>
          {field}
          {quota !== '' && (
            <Text size="xs" c="dimmed" mt={4} className="figures">
              {t('money.units', { units: number(quota) })}
            </Text>
          )}
        </div>
      )}
    />
  )
}
