import { NativeSelect } from '@mantine/core'

import type { ControlProps } from './control-props'

export function ChoiceControl({ option, field, value, onChange, isDisabled, choiceLabel }: ControlProps) {
  return (
    <NativeSelect
      {...field}
      size="sm"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={(option.choices ?? []).map((choice) => ({ value: choice, label: choiceLabel(choice) }))}
      disabled={isDisabled}
    />
  )
}
