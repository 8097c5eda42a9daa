import { Select } from '@mantine/core'

interface ChoiceFilterProps {
  readonly label: string
  readonly room: { readonly flex: string; readonly maw: number }
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** A filter that is one of some values; long lists can be searched. */
export function ChoiceFilter({ label, room, choices, value, onChange }: ChoiceFilterProps) {
  return (
    <Select
      size="xs"
      {...room}
      aria-label={label}
      placeholder={label}
      data={[...choices]}
      value={value ?? null}
      clearable
      searchable={choices.length > 8}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}
