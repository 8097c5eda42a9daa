import { Button, Group } from '@mantine/core'

interface ToggleButtonsProps<Value extends string> {
  readonly label: string
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly chosen: readonly Value[]
  /** Reported in the order of the choices. */
  readonly onChange: (chosen: Value[]) => void
}

/** Toggle buttons for a few choices. */
export function ToggleButtons<Value extends string>({ label, choices, chosen, onChange }: ToggleButtonsProps<Value>) {
  const toggle = (value: Value) =>
    onChange(
      choices.flatMap((choice) => {
        const isChosen = chosen.includes(choice.value)
        return (choice.value === value ? !isChosen : isChosen) ? [choice.value] : []
      }),
    )
  return (
    <Group gap={6} role="group" aria-label={label}>
      {choices.map((choice) => (
        <Button
          key={choice.value}
          size="compact-xs"
          variant={chosen.includes(choice.value) ? 'light' : 'default'}
          aria-pressed={chosen.includes(choice.value)}
          onClick={() => toggle(choice.value)}
        >
          {choice.label}
        </Button>
      ))}
    </Group>
  )
}
