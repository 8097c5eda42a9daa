import { NativeSelect, type NativeSelectProps } from '@mantine/core'

interface ChoiceSelectProps<Value extends string> extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  /** Consecutive choices with the same group are listed under its name. */
  readonly choices: readonly { readonly value: Value; readonly label: string; readonly group?: string }[]
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
}

/** One of a few fixed choices in a native select: it opens at once, and as a wheel on phones. Long lists use `SearchSelect`. */
export function ChoiceSelect<Value extends string>({ choices, value, onChange, ...select }: ChoiceSelectProps<Value>) {
  return (
    <NativeSelect
      {...select}
      data={groupChoices(choices)}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = choices.find((choice) => choice.value === currentTarget.value)
        if (chosen) onChange(chosen.value)
      }}
    />
  )
}

interface GroupedChoice {
  readonly value: string
  readonly label: string
  readonly group?: string
}

function groupChoices(choices: readonly GroupedChoice[]) {
  const entries: ({ value: string; label: string } | { group: string; items: { value: string; label: string }[] })[] =
    []
  for (const { value, label, group } of choices) {
    const last = entries.at(-1)
    if (group === undefined) entries.push({ value, label })
    else if (last && 'group' in last && last.group === group) last.items.push({ value, label })
    else entries.push({ group, items: [{ value, label }] })
  }
  return entries
}
