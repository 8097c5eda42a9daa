import { Group, Text } from '@mantine/core'

import { CopyButton } from './copy-button'

interface CopyFieldProps {
  readonly value: string
  /** What stands there instead, when the value is long or secret. */
  readonly shown?: string
  readonly label?: string
}

/** A value in monospace with a button that copies it. */
export function CopyField({ value, shown = value, label }: CopyFieldProps) {
  return (
    <Group gap={2} wrap="nowrap" style={{ minWidth: 0 }}>
      <Text ff="monospace" fz="xs" truncate title={shown === value ? value : undefined}>
        {shown}
      </Text>
      <CopyButton text={value} label={label} />
    </Group>
  )
}
