import { Stack, Text } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

import { usePageTitle } from '../../lib/browser/use-page-title'
import { Barrier } from './barrier'

interface StateMessageProps {
  readonly icon: Icon
  readonly title: string
  readonly hint?: ReactNode
  /** The next step. */
  readonly action?: ReactNode
  readonly isSmall?: boolean
  /** Access is denied, as opposed to an empty state. */
  readonly isBarred?: boolean
  /** It is the only content of the page: its heading, and its name on the browser's tab. */
  readonly isPage?: boolean
}

/** Why there is nothing to see, and what to do about it. */
export function StateMessage({
  icon: StateIcon,
  title,
  hint,
  action,
  isSmall = false,
  isBarred = false,
  isPage = false,
}: StateMessageProps) {
  usePageTitle(isPage ? title : undefined)
  return (
    <Stack align="center" gap={8} py={isSmall ? 24 : 56} px="md" ta="center">
      <Barrier arm={isBarred ? 'down' : 'up'} sign={<StateIcon size={18} stroke={1.5} />} isSmall={isSmall} />
      <Text fw={600} m={0} mt={4} component={isPage ? 'h1' : 'p'}>
        {title}
      </Text>
      {hint && (
        <Text size="sm" c="dimmed" maw={460} component="div" style={{ overflowWrap: 'anywhere', textWrap: 'pretty' }}>
          {hint}
        </Text>
      )}
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}
