import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'

import { ChoiceControl } from './choice-control'
import { CodeControl } from './code-control'
import type { ControlProps } from './control-props'
import { DurationControl } from './duration-control'
import { MoneyControl } from './money-control'
import { NumberControl } from './number-control'
import { SwitchControl } from './switch-control'
import { LinesControl, TextControl } from './text-control'

// Few pages have one of these, which weigh more than the others together.
const ColorControl = lazy(async () => ({ default: (await import('./color-control')).ColorControl }))
const ListControl = lazy(async () => ({ default: (await import('./list-control')).ListControl }))
const SecretControl = lazy(async () => ({ default: (await import('./secret-control')).SecretControl }))
const TableControl = lazy(async () => ({ default: (await import('./table-control')).TableControl }))

const controls = {
  switch: SwitchControl,
  number: NumberControl,
  money: MoneyControl,
  duration: DurationControl,
  text: TextControl,
  code: CodeControl,
  color: ColorControl,
  choice: ChoiceControl,
  list: ListControl,
  lines: LinesControl,
  table: TableControl,
  secret: SecretControl,
} as const

/** The field for an option, chosen by what it holds. */
export function OptionControl(props: ControlProps) {
  const Control = controls[controlFor(props.option)]
  return (
    <Suspense fallback={<Skeleton h={64} />}>
      <Control {...props} />
    </Suspense>
  )
}

function controlFor({ kind, unit, format, entries }: ControlProps['option']): keyof typeof controls {
  switch (kind) {
    case 'boolean':
      return 'switch'
    case 'integer':
    case 'number':
      if (unit === 'quota' || unit === 'usd') return 'money'
      return unit === 'seconds' || unit === 'minutes' ? 'duration' : 'number'
    case 'text':
      if (format === 'color') return 'color'
      return format ? 'code' : 'text'
    case 'json':
      return entries ? 'table' : 'code'
    default:
      return kind
  }
}
