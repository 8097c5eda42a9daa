import { Checkbox, Group } from '@mantine/core'

import type { ControlProps } from './control-props'

/** Several of a few words, as boxes. */
export function ChoicesControl({ option, field, value, onChange, isDisabled, choiceLabel }: ControlProps) {
  const choices = option.choices ?? []
  const chosen = value === '' ? [] : value.split(',')
  return (
    <Checkbox.Group
      {...field}
      value={chosen}
      onChange={(names) => onChange(choices.filter((choice) => names.includes(choice)).join(','))}
    >
      <Group gap="md">
        {choices.map((choice) => (
          <Checkbox key={choice} value={choice} label={choiceLabel(choice)} disabled={isDisabled} size="sm" />
        ))}
      </Group>
    </Checkbox.Group>
  )
}
