import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { Link, type LinkProps } from '@tanstack/react-router'

import { StateMessage } from './state-message'

interface DeadEndProps {
  readonly icon: Icon
  readonly title: string
  readonly hint: string
  /** Where to go instead. */
  readonly to: LinkProps['to']
  readonly action: string
}

/** Shown instead of a page that the reader cannot open. */
export function DeadEnd({ icon, title, hint, to, action }: DeadEndProps) {
  return (
    <StateMessage
      icon={icon}
      title={title}
      hint={hint}
      isBarred
      isPage
      action={
        <Button variant="default" component={Link} to={to}>
          {action}
        </Button>
      }
    />
  )
}
