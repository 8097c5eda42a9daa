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

interface MenuLinkProps extends MenuEntry {
  readonly isCollapsed: boolean
}

export function MenuLink({ path, text, icon: LinkIcon, Badge, isCollapsed }: MenuLinkProps) {
  // Who is on the page sees there what the badge counts.
  const isHere = useRouterState({ select: ({ location }) => location.pathname === path })
  return (
    <Tip label={text} side="right" isDisabled={!isCollapsed}>
      <Link to={path} className={classes.link} activeOptions={{ exact: path === '/', includeSearch: false }}>
        <LinkIcon size={18} stroke={1.7} />
        {isCollapsed ? <VisuallyHidden>{text}</VisuallyHidden> : <span className={classes.linkText}>{text}</span>}
        {Badge && !isHere && (
          <Suspense>
            <Badge isDot={isCollapsed} />
          </Suspense>
        )}
      </Link>
    </Tip>
  )
}
