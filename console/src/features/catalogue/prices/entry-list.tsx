import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface EntryListProps {
  readonly hint?: string | undefined
  readonly addLabel: string
  readonly removeLabel: string
  readonly count: number
  readonly onAdd: () => void
  readonly onRemove: (index: number) => void
  /** The first fields of an entry, beside its remove button. */
  readonly head: (index: number) => ReactNode
  readonly children: (index: number) => ReactNode
}

/** A list of form entries that are added and removed, each in a frame of its own. */
export function EntryList({ hint, addLabel, removeLabel, count, onAdd, onRemove, head, children }: EntryListProps) {
  return (
    <Stack gap="sm">
      {hint && (
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      )}
      {Array.from({ length: count }, (_, index) => (
        <Paper key={index} withBorder p="sm">
          <Group align="flex-start" justify="space-between" wrap="nowrap" gap="sm" mb="xs">
            {head(index)}
            <ActionIcon aria-label={removeLabel} onClick={() => onRemove(index)}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
          {children(index)}
        </Paper>
      ))}
      <div>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={onAdd}>
          {addLabel}
        </Button>
      </div>
    </Stack>
  )
}
