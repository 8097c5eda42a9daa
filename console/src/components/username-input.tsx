import { TextInput, type TextInputProps } from '@mantine/core'

/** The first field of a form that says who one is; password managers know it. */
export function UsernameInput(props: TextInputProps) {
  return <TextInput autoComplete="username" autoCapitalize="none" autoFocus {...props} />
}
