import { Group, Text } from '@mantine/core'

import { CopyButton } from './copy-button'

interface CopyFieldProps {
  readonly value: string
  /** Shown instead of a long or secret value. */
  readonly shown?: string
  readonly label?: string
}

/** A monospace value with a copy button. */
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
