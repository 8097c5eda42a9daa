import { NumberInput } from '@mantine/core'
import { useState } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import classes from '../settings.module.css'
import type { ControlProps } from './control-props'
import { ChoiceSelect } from '../../../components/fields/choice-select'
import { useTyped } from '../../../lib/text/use-typed'

const seconds = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const
type Span = keyof typeof seconds
const spans = Object.keys(seconds) as readonly Span[]

/** A duration in a suitable unit; stored in the option's own. */
export function DurationControl({ option, field, value, onChange, isDisabled }: ControlProps) {
  const { t } = useTranslation('settings')
  const base: Span = option.unit === 'minutes' ? 'minutes' : 'seconds'
  const offered = spans.filter((span) => seconds[span] >= seconds[base])
  const [span, setSpan] = useState<Span>(() => roundestSpan(Number(value), base))
  const factor = seconds[span] / seconds[base]
  const [typed, setTyped] = useTyped(value, onChange, {
    show: (text) => times(text, 1 / factor),
    read: (text: string) => times(text, factor),
  })
  const choose = (chosen: Span) => {
    setSpan(chosen)
    onChange(times(typed, seconds[chosen] / seconds[base]))
  }
  return (
    <NumberInput
      {...field}
      value={typed}
      onChange={(text) => setTyped(String(text))}
      allowDecimal={option.kind === 'number' || factor > 1}
      thousandSeparator=","
      hideControls
      disabled={isDisabled}
      inputContainer={(input) => (
        <div className={classes.pair}>
          {input}
          <ChoiceSelect
            size="sm"
            aria-label={t('duration.unit', { name: field.label })}
            value={span}
            onChange={choose}
            choices={offered.map((name) => ({ value: name, label: t(`unit.${name}`) }))}
            disabled={isDisabled}
          />
        </div>
      )}
    />
  )
}

const times = (text: string, factor: number) =>
  text.trim() === '' || !Number.isFinite(Number(text)) ? text : String(Number((Number(text) * factor).toFixed(6)))

/** Returns the largest unit in which a duration is an integer. */
function roundestSpan(length: number, base: Span): Span {
  if (!(length > 0)) return base
  const whole = spans.filter((span) => seconds[span] >= seconds[base] && (length * seconds[base]) % seconds[span] === 0)
  return whole.at(-1) ?? base
}
