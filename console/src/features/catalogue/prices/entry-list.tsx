import { ActionIcon, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface EntryListProps {
  readonly hint?: string | undefined
  readonly addLabel: string
  readonly removeLabel: string
  readonly count: number
  readonly onAdd: () => void
  readonly onRemove: (place: number) => void
  /** The first fields of an entry, beside its remove button. */
  readonly head: (place: number) => ReactNode
  readonly children: (place: number) => ReactNode
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
      {Array.from({ length: count }, (_, place) => (
        <Paper key={place} withBorder p="sm">
          <Group align="flex-start" justify="space-between" wrap="nowrap" gap="sm" mb="xs">
            {head(place)}
            <ActionIcon aria-label={removeLabel} onClick={() => onRemove(place)}>
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
          {children(place)}
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
