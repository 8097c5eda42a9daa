import { NumberInput, type NumberInputProps } from '@mantine/core'

export type DollarInputProps = Omit<
  NumberInputProps,
  'defaultValue' | 'prefix' | 'suffix' | 'decimalScale' | 'thousandSeparator'
>

/** An amount of dollars; nothing is sold for less than a millionth of one. */
export function DollarInput(props: DollarInputProps) {
  return <NumberInput allowNegative={false} hideControls {...props} prefix="$" thousandSeparator="," decimalScale={6} />
}
