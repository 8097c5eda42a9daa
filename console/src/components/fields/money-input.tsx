import { Text } from '@mantine/core'

import { useTranslation } from '../../lib/i18n'
import { useSite } from '../../lib/status'
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
  const quota = isAmount(value) ? Number(value) : ''
  const [dollars, setDollars] = useTyped(quota, onChange, {
    show: (units): number | string => (units === '' ? '' : plain(units / quotaPerDollar)),
    read: (typed) => (isAmount(typed) ? Math.round(Number(typed) * quotaPerDollar) : ''),
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

const plain = (dollars: number) => String(Number(dollars.toFixed(6)))
const isAmount = (value: number | string) => String(value).trim() !== '' && Number.isFinite(Number(value))
