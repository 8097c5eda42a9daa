import { NumberInput } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'
import type { ControlProps } from './control-props'
import { UnitMark, unitMarkWidth } from './unit-mark'

const mostDecimals = 6

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
      decimalScale={mostDecimals}
      thousandSeparator=","
      hideControls
      disabled={isDisabled}
      {...(unit && { rightSection: <UnitMark>{t(`unit.${unit}`)}</UnitMark>, rightSectionWidth: unitMarkWidth })}
    />
  )
}
