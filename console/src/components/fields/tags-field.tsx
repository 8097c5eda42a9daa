import { TagsInput, type TagsInputProps } from '@mantine/core'

const separators = [',', ';', ' ', '\n', '，', '；', '、']
const styles = { pillsList: { maxHeight: 220, overflowY: 'auto' } } as const

/** Words as tags, typed or pasted as a list. Blur accepts what was typed; a long list scrolls. */
export function TagsField(props: TagsInputProps) {
  return <TagsInput splitChars={separators} acceptValueOnBlur styles={styles} {...props} />
}
