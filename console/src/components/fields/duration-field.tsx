import { Group, NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

import { useTyped } from '../../lib/text/use-typed'
import { ChoiceSelect } from './choice-select'

const seconds = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const
export type DurationUnit = keyof typeof seconds
const units = Object.keys(seconds) as readonly DurationUnit[]

interface DurationFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'inputContainer'> {
  /** A number as text, in the smallest unit. */
  readonly value?: string
  readonly onChange?: (value: string) => void
  /** The smallest unit, in which the value is. */
  readonly base?: 'seconds' | 'minutes'
  /** Whether fractions of the smallest unit can be typed; of greater units they always can. */
  readonly allowDecimal?: boolean
  readonly unitLabel: string
  readonly unitText: (unit: DurationUnit) => string
}

/** A duration in a suitable unit. */
export function DurationField(props: DurationFieldProps) {
  const { value = '', onChange, base = 'seconds', allowDecimal = false, unitLabel, unitText, ...input } = props
  const offered = units.filter((unit) => seconds[unit] >= seconds[base])
  const [unit, setUnit] = useState<DurationUnit>(() => roundestUnit(Number(value), base))
  const factor = seconds[unit] / seconds[base]
  const [typed, setTyped] = useTyped(value, (next: string) => onChange?.(next), {
    show: (text) => times(text, 1 / factor),
    read: (text: string) => times(text, factor),
  })
  const choose = (chosen: DurationUnit) => {
    setUnit(chosen)
    onChange?.(times(typed, seconds[chosen] / seconds[base]))
  }
  return (
    <NumberInput
      thousandSeparator=","
      hideControls
      {...input}
      value={typed}
      onChange={(text) => setTyped(String(text))}
      allowDecimal={allowDecimal || factor > 1}
      inputContainer={(field) => (
        <Group gap={8} wrap="nowrap" align="end">
          <div style={{ flex: 1, minWidth: 0 }}>{field}</div>
          <ChoiceSelect
            size="sm"
            w={112}
            aria-label={unitLabel}
            value={unit}
            onChange={choose}
            choices={offered.map((name) => ({ value: name, label: unitText(name) }))}
            disabled={input.disabled}
          />
        </Group>
      )}
    />
  )
}

const times = (text: string, factor: number) =>
  text.trim() === '' || !Number.isFinite(Number(text)) ? text : String(Number((Number(text) * factor).toFixed(6)))

/** Returns the largest unit in which a duration is an integer. */
function roundestUnit(length: number, base: DurationUnit): DurationUnit {
  if (!(length > 0)) return base
  const whole = units.filter((unit) => seconds[unit] >= seconds[base] && (length * seconds[base]) % seconds[unit] === 0)
  return whole.at(-1) ?? base
}
