import { Group, Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PanelProps {
  readonly title: string
  /** Shown beside the title. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** A titled part of the page. */
export const Panel = ({ title, action, children }: PanelProps) => (
  <Paper p="md" component="section">
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} fz="md">
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </Stack>
  </Paper>
)
