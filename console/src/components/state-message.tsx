import { Stack, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import classes from './state-message.module.css'

interface StateMessageProps {
  readonly icon: Icon
  readonly title: string
  readonly hint?: ReactNode
  /** The next step. */
  readonly action?: ReactNode
  readonly isSmall?: boolean
}

/** Why there is nothing to see, and what to do about it. */
export function StateMessage({ icon: StateIcon, title, hint, action, isSmall = false }: StateMessageProps) {
  return (
    <Stack align="center" gap={8} py={isSmall ? 24 : 64} px="md" ta="center">
      <div className={classes.icon} data-is-small={isSmall || undefined}>
        <StateIcon size={isSmall ? 20 : 24} stroke={1.5} />
      </div>
      <Text fw={600} mt={4}>
        {title}
      </Text>
      {hint && (
        <Text size="sm" c="dimmed" maw={460} component="div" style={{ overflowWrap: 'anywhere' }}>
          {hint}
        </Text>
      )}
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}
