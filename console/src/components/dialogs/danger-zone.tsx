import { Paper, Text, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'

import classes from './danger-zone.module.css'

interface DangerZoneProps {
  readonly title: string
  /** What is lost, and what stays. */
  readonly hint: ReactNode
  /** An action that asks for confirmation: a `ConfirmButton`. */
  readonly children: ReactNode
}

/** A section of irreversible actions. */
export function DangerZone({ title, hint, children }: DangerZoneProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Title order={2} fz="md" mb="xs" id={id}>
        {title}
      </Title>
      <Paper className={classes.zone}>
        <Text size="sm" c="dimmed" mb="sm" component="div">
          {hint}
        </Text>
        {children}
      </Paper>
    </section>
  )
}
