import { Group, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

import { usePageTitle } from '../../lib/browser/use-page-title'
import classes from './page-header.module.css'

interface PageHeaderProps {
  readonly title: string
  /** The total of what the page lists. */
  readonly count?: string
  readonly description?: ReactNode
  /** Buttons of the page. */
  readonly children?: ReactNode
}

/** Name of the page, also on the browser's tab. */
export function PageHeader({ title, count, description, children }: PageHeaderProps) {
  usePageTitle(title)
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
          <Text c="dimmed" size="sm" mt={2} style={{ textWrap: 'pretty' }}>
            {description}
          </Text>
        )}
      </div>
      {children && (
        <Group gap={8} className={classes.actions}>
          {children}
        </Group>
      )}
    </Group>
  )
}
