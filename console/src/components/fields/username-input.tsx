import { TextInput, type TextInputProps } from '@mantine/core'

/** The user name field of a form, recognized by password managers. */
export function UsernameInput(props: TextInputProps) {
  return <TextInput autoComplete="username" autoCapitalize="none" autoFocus {...props} />
}
