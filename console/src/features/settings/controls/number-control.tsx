import { NumberInput, Text } from '@mantine/core'
import type { ReactNode } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import type { ControlProps } from './control-props'

const maxDecimals = 6

/** Money and durations have controls of their own. */
const countUnits = ['tokens', 'calls', 'percent'] as const

/** A number with its unit at the end of the field. */
export function NumberControl({ option, field, value, onChange, isDisabled }: ControlProps) {
  const { t } = useTranslation('settings')
  const unit = countUnits.find((known) => known === option.unit)
  return (
    <NumberInput
      {...field}
      value={value}
      onChange={(typed) => onChange(String(typed))}
      allowDecimal={option.kind === 'number'}
      decimalScale={maxDecimals}
      thousandSeparator=","
      hideControls
      disabled={isDisabled}
      {...(unit && { rightSection: <UnitMark>{t(`unit.${unit}`)}</UnitMark>, rightSectionWidth: unitMarkWidth })}
    />
  )
}

const unitMarkWidth = 84

/** The unit of a number, at the end of its field. */
function UnitMark({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" w="100%" pr={10} ta="right">
      {children}
    </Text>
  )
}
