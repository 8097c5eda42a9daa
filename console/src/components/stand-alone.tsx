import { Paper, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

import { usePageTitle } from '../lib/use-page-title'

interface StandAloneProps {
  readonly title: string
  readonly hint?: ReactNode
  /** Pixels, at the most. */
  readonly width: number
  readonly children: ReactNode
}

/** One thing to do, in the middle of the page. */
export function StandAlone({ title, hint, width, children }: StandAloneProps) {
  usePageTitle(title)
  return (
    <Paper maw={width} mx="auto" mt={{ base: 8, sm: 40 }} p={{ base: 'md', sm: 'xl' }}>
      <Title order={1} mb={hint ? 4 : 'md'}>
        {title}
      </Title>
      {hint && (
        <Text size="sm" c="dimmed" component="div" mb="lg">
          {hint}
        </Text>
      )}
      {children}
    </Paper>
  )
}
