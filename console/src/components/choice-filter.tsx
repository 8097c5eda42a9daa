import { SearchSelect } from './combobox/search-select'

interface ChoiceFilterProps {
  readonly label: string
  readonly room: { readonly flex: string; readonly maw: number }
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** A filter with one of many values. */
export function ChoiceFilter({ label, room, value, onChange, ...list }: ChoiceFilterProps) {
  return (
    <SearchSelect
      {...list}
      size="xs"
      {...room}
      aria-label={label}
      placeholder={label}
      value={value ?? null}
      isClearable
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  )
}
