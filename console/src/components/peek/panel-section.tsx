import { Group, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PanelSectionProps {
  readonly title: string
  /** At the end of the title's line. */
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function PanelSection({ title, aside, children }: PanelSectionProps) {
  return (
    <section>
      <Group justify="space-between" mb={6}>
        <Title order={3} size="h4">
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </section>
  )
}
