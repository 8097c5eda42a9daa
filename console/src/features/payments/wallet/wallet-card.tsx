import { Group, Paper, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

import classes from './wallet.module.css'

interface WalletCardProps {
  readonly title: string
  /** Shown beside the title. */
  readonly actions?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** A part of the page. */
export function WalletCard({ title, actions, className = '', children }: WalletCardProps) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} className={`${classes.card} ${className}`}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Title order={2} id={id} className={classes.cardTitle}>
          {title}
        </Title>
        {actions && (
          <Group gap={8} className={classes.actions}>
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Paper>
  )
}
