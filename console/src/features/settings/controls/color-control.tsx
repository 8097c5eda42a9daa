import { ColorInput } from '@mantine/core'

import type { ControlProps } from './control-props'

export function ColorControl({ field, value, onChange, isDisabled }: ControlProps) {
  return <ColorInput {...field} value={value} onChange={onChange} disabled={isDisabled} />
}
