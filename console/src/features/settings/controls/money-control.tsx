import { NumberInput, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { useSite } from '../../../lib/status'
import { useFormat } from '../../../lib/use-format'
import type { ControlProps } from './control-props'
import { useTyped } from './use-typed'

/** An amount in dollars. What is stored in the gateway's own units is shown beneath. */
export function MoneyControl({ option, field, value, onChange, isDisabled }: ControlProps) {
  const { t } = useTranslation('settings')
  const { number } = useFormat()
  const site = useSite()
  const unitsPerDollar = option.unit === 'quota' ? site.quota_per_unit : 1
  const isWhole = option.kind === 'integer' && unitsPerDollar === 1
  const [dollars, setDollars] = useTyped(value, onChange, {
    show: (units) => scaled(units, 1 / unitsPerDollar),
    read: (typed: string) => (option.unit === 'quota' ? rounded(scaled(typed, unitsPerDollar)) : typed),
  })
  return (
    <NumberInput
      {...field}
      value={dollars}
      onChange={(typed) => setDollars(String(typed))}
      prefix="$"
      thousandSeparator=","
      decimalScale={6}
      allowDecimal={!isWhole}
      hideControls
      disabled={isDisabled}
      inputContainer={(input) => (
        <div>
          {input}
          {option.unit === 'quota' && isNumber(value) && (
            <Text size="xs" c="dimmed" mt={4} className="figures">
              {t('money.units', { units: number(Number(value)) })}
            </Text>
          )}
        </div>
      )}
    />
  )
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text))
/** Finer than a millionth of a dollar there is nothing. */
const scaled = (text: string, factor: number) => (isNumber(text) ? plain(Number(text) * factor) : text)
const plain = (value: number) => String(Number(value.toFixed(6)))
const rounded = (text: string) => (isNumber(text) ? String(Math.round(Number(text))) : text)
