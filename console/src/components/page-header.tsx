import { Group, Text, Title } from '@mantine/core'
import { useEffect, type ReactNode } from 'react'

import { useSite } from '../lib/status'

interface PageHeaderProps {
  readonly title: string
  /** Of whatever the page lists. */
  readonly count?: string
  readonly description?: ReactNode
  /** The page's own buttons. */
  readonly children?: ReactNode
}

/** Name of the page, also on the browser's tab. */
export function PageHeader({ title, count, description, children }: PageHeaderProps) {
  const { system_name: site } = useSite()
  useEffect(() => {
    document.title = `${title} · ${site}`
  }, [title, site])
  return (
    <Group justify="space-between" align="flex-start" mb="md" gap="sm">
      <div style={{ minWidth: 0 }}>
        <Group gap={8} align="baseline">
          <Title order={1}>{title}</Title>
          {count !== undefined && (
            <Text c="dimmed" size="sm" className="figures">
              {count}
            </Text>
          )}
        </Group>
        {description && (
          <Text c="dimmed" size="sm" mt={2}>
            {description}
          </Text>
        )}
      </div>
      {children && <Group gap={8}>{children}</Group>}
    </Group>
  )
}
