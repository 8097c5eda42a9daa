import { Badge, type MantineColor } from '@mantine/core'
import type { ReactNode } from 'react'

import { Tip } from './tip'

export type Tone = 'good' | 'warning' | 'bad' | 'neutral' | 'accent'

const colors: Record<Tone, MantineColor> = {
  good: 'green',
  warning: 'yellow',
  bad: 'red',
  neutral: 'gray',
  accent: 'accent',
}

interface StatusBadgeProps {
  readonly tone: Tone
  readonly children: ReactNode
  /** Why it has this status. */
  readonly reason?: ReactNode
}

/** A status label; the same kind always has the same colour. */
export function StatusBadge({ tone, children, reason }: StatusBadgeProps) {
  const badge = (
    <Badge color={colors[tone]} tabIndex={reason ? 0 : undefined} style={reason ? { cursor: 'help' } : undefined}>
      {children}
    </Badge>
  )
  return reason ? <Tip label={reason}>{badge}</Tip> : badge
}
