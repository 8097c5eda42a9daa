import type { Icon } from '@tabler/icons-react'
import { VisuallyHidden } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { Suspense } from 'react'

import { Tip } from '../../components/tip'
import type { Page } from '../pages'
import classes from './menu.module.css'

export interface MenuEntry {
  readonly path: string
  readonly text: string
  readonly icon: Icon
  readonly Badge?: Page['Badge']
}

interface EntryBadgeProps extends Pick<MenuEntry, 'Badge'> {
  readonly isDot: boolean
}

/** The badge of an entry, if it has one. Its code arrives after the page. */
export function EntryBadge({ Badge, isDot }: EntryBadgeProps) {
  return (
    Badge && (
      <Suspense>
        <Badge isDot={isDot} />
      </Suspense>
    )
  )
}

interface MenuLinkProps extends MenuEntry {
  readonly isCollapsed: boolean
}

export function MenuLink({ path, text, icon: LinkIcon, Badge, isCollapsed }: MenuLinkProps) {
  // On the page itself the counted items are in sight.
  const isHere = useRouterState({ select: ({ location }) => location.pathname === path })
  return (
    <Tip label={text} side="right" isDisabled={!isCollapsed}>
      <Link to={path} className={classes.link} activeOptions={{ exact: path === '/', includeSearch: false }}>
        <LinkIcon size={18} stroke={1.7} />
        {isCollapsed ? <VisuallyHidden>{text}</VisuallyHidden> : <span className={classes.linkText}>{text}</span>}
        {!isHere && <EntryBadge Badge={Badge} isDot={isCollapsed} />}
      </Link>
    </Tip>
  )
}
