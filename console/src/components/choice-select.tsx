import { NativeSelect, type NativeSelectProps } from '@mantine/core'

interface ChoiceSelectProps<Value extends string> extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value | undefined
  readonly onChange: (value: Value) => void
}

/** One of a few fixed choices, in the browser's own list: it opens at once, and as a wheel on phones. Long lists are searched. */
export function ChoiceSelect<Value extends string>({ choices, value, onChange, ...select }: ChoiceSelectProps<Value>) {
  return (
    <NativeSelect
      {...select}
      data={[...choices]}
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = choices.find((choice) => choice.value === currentTarget.value)
        if (chosen) onChange(chosen.value)
      }}
    />
  )
}
