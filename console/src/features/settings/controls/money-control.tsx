import { DollarInput } from '../../../components/fields/dollar-input'
import { MoneyInput } from '../../../components/fields/money-input'
import type { ControlProps } from './control-props'

/** An amount in dollars, stored in quota units or in dollars. */
export function MoneyControl({ option, field, value, onChange, isDisabled }: ControlProps) {
  const change = (typed: number | string) => onChange(String(typed))
  if (option.unit === 'quota') return <MoneyInput {...field} value={value} onChange={change} disabled={isDisabled} />
  return (
    <DollarInput
      {...field}
      value={value}
      onChange={change}
      allowDecimal={option.kind !== 'integer'}
      disabled={isDisabled}
    />
  )
}
