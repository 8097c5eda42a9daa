import { NumberInput, Text, type NumberInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useSite } from '../lib/status'
import { useFormat } from '../lib/use-format'
import { useTyped } from '../lib/use-typed'

export interface MoneyInputProps extends Omit<
  NumberInputProps,
  'value' | 'defaultValue' | 'onChange' | 'prefix' | 'suffix' | 'decimalScale' | 'allowDecimal' | 'inputContainer'
> {
  /** Quota units, as the API has them; an empty string is an empty field. */
  readonly value?: number | string
  readonly onChange: (quota: number | string) => void
}

/** A quota, typed in dollars. What is stored and sent, the gateway's own units, stands beneath. */
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
    <NumberInput
      thousandSeparator=","
      allowNegative={false}
      hideControls
      {...input}
      prefix="$"
      decimalScale={mostDecimals}
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

/** Nothing is sold for less than a millionth of a dollar. */
const mostDecimals = 6
const plain = (dollars: number) => String(Number(dollars.toFixed(mostDecimals)))
const isAmount = (value: number | string) => String(value).trim() !== '' && Number.isFinite(Number(value))
