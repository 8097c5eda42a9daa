import { Button, Group } from '@mantine/core'

interface QuickPicksProps {
  readonly label: string
  readonly picks: readonly { readonly text: string; readonly onPick: () => void }[]
  readonly isDisabled?: boolean
}

/** Buttons for common values. */
export function QuickPicks({ label, picks, isDisabled }: QuickPicksProps) {
  return (
    <Group gap={4} mt={6} role="group" aria-label={label}>
      {picks.map(({ text, onPick }) => (
        <Button key={text} variant="default" size="compact-xs" fw={500} disabled={isDisabled} onClick={onPick}>
          {text}
        </Button>
      ))}
    </Group>
  )
}
