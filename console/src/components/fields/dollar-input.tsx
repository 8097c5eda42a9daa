import { NumberInput, type NumberInputProps } from '@mantine/core'

export type DollarInputProps = Omit<
  NumberInputProps,
  'defaultValue' | 'prefix' | 'suffix' | 'decimalScale' | 'thousandSeparator'
>

/** An amount in dollars with up to six decimal places. */
export function DollarInput(props: DollarInputProps) {
  return <NumberInput allowNegative={false} hideControls {...props} prefix="$" thousandSeparator="," decimalScale={6} />
}
