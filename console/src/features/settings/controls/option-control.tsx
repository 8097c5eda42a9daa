import { ColorInput } from '@mantine/core'
import type { ComponentType } from 'react'

import { ChoiceControl } from './choice-control'
import { CodeControl } from './code-control'
import type { ControlProps } from './control-props'
import { DurationControl } from './duration-control'
import { ListControl } from './list-control'
import { MoneyControl } from './money-control'
import { NumberControl } from './number-control'
import { SecretControl } from './secret-control'
import { SwitchControl } from './switch-control'
import { TableControl } from './table-control'
import { LinesControl, TextControl } from './text-control'

/** The field for an option, chosen by what it holds. */
export function OptionControl(props: ControlProps) {
  const Control = controlFor(props.option)
  return <Control {...props} />
}

function controlFor({ kind, unit, format, entries }: ControlProps['option']): ComponentType<ControlProps> {
  switch (kind) {
    case 'boolean':
      return SwitchControl
    case 'integer':
    case 'number':
      if (unit === 'quota' || unit === 'usd') return MoneyControl
      return unit === 'seconds' || unit === 'minutes' ? DurationControl : NumberControl
    case 'text':
      if (format === 'color') return ColorControl
      return format ? CodeControl : TextControl
    case 'choice':
      return ChoiceControl
    case 'list':
      return ListControl
    case 'lines':
      return LinesControl
    case 'json':
      return entries ? TableControl : CodeControl
    case 'secret':
      return SecretControl
  }
}

function ColorControl({ field, value, onChange, isDisabled }: ControlProps) {
  return <ColorInput {...field} value={value} onChange={onChange} disabled={isDisabled} />
}
