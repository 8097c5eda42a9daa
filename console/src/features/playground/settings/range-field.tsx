import '@mantine/core/styles/Slider.layer.css'
import { Slider } from '@mantine/core'

import { formatDecimal } from '../../../lib/text/format'
import { useTranslation } from '../../../lib/text/i18n'
import type { RangedParameter } from '../session/settings'
import { ParameterField } from './parameter-field'

interface RangeFieldProps {
  readonly name: RangedParameter
  readonly min: number
  readonly max: number
  readonly step: number
  readonly isOn: boolean
  readonly value: number
  readonly onChange: (next: { isOn: boolean; value: number }) => void
}

/** A number within its range. */
export function RangeField({ name, min, max, step, isOn, value, onChange }: RangeFieldProps) {
  const { t } = useTranslation('playground')
  return (
    <ParameterField
      name={name}
      isOn={isOn}
      value={formatDecimal(value, 2)}
      onSwitch={(next) => onChange({ isOn: next, value })}
    >
      <Slider
        size="sm"
        min={min}
        max={max}
        step={step}
        label={null}
        thumbLabel={t(`parameter.${name}`)}
        value={value}
        // Avoids 0.30000000000000004 from steps of a tenth.
        onChange={(next) => onChange({ isOn, value: Number(next.toFixed(2)) })}
      />
    </ParameterField>
  )
}
