import { Group, Paper, Skeleton, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import type { ApiError } from '@tollgate/contract'

import classes from './account.module.css'
import { ErrorState } from '../../components/page/state-message'

interface AccountSectionProps {
  readonly title: string
  readonly hint: ReactNode
  /** A badge beside the title. */
  readonly state?: ReactNode
  readonly actions?: ReactNode
  /** The actions are small enough to stay beside the text on phones. */
  readonly isCompact?: boolean
  /** Rows made with `MeRow`. */
  readonly children?: ReactNode
}

/** A card of the page. */
export function AccountSection({ title, hint, state, actions, isCompact, children }: AccountSectionProps) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} className={classes.section}>
      <div className={classes.row} data-is-compact={isCompact}>
        <div className={classes.words}>
          <Group gap={8}>
            <Title order={2} fz="md" id={id}>
              {title}
            </Title>
            {state}
          </Group>
          <Text size="sm" c="dimmed" mt={2}>
            {hint}
          </Text>
        </div>
        {actions && (
          <Group gap={8} className={classes.actions}>
            {actions}
          </Group>
        )}
      </div>
      {children && <ul className={classes.list}>{children}</ul>}
    </Paper>
  )
}

interface MeRowProps {
  readonly name: ReactNode
  readonly details: ReactNode
  readonly actions?: ReactNode
  /** The actions are small enough to stay beside the text on phones. */
  readonly isCompact?: boolean | undefined
}

/** One of several items: a passkey, a session. */
export function MeRow({ name, details, actions, isCompact }: MeRowProps) {
  return (
    <li className={classes.row} data-is-compact={isCompact}>
      <div className={classes.words}>
        <Group gap={8} fz="sm" fw={500}>
          {name}
        </Group>
        <Text size="sm" c="dimmed" component="div">
          {details}
        </Text>
      </div>
      {actions && (
        <Group gap={8} className={classes.actions}>
          {actions}
        </Group>
      )}
    </li>
  )
}

const rowHeight = 64

interface ReadStateProps {
  readonly read: { readonly error: ApiError | null; readonly refetch: () => unknown }
  /** Approximate final height; by default that of a list row. */
  readonly height?: number
}

/** A placeholder while loading, or the reason of a failure. */
export function ReadState({ read: { error, refetch }, height = rowHeight }: ReadStateProps) {
  return error ? <ErrorState error={error} onRetry={() => void refetch()} isSmall /> : <Skeleton h={height} />
}
