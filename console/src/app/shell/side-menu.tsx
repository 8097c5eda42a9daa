import { ActionIcon } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'
import * as z from 'zod'

import classes from './menu.module.css'
import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import { useChats, useSite } from '../../lib/api/status'
import { MenuLinks, useFolding } from './menu-links'
import { useIsTablet } from '../../lib/browser/breakpoints'
import { StoredValue, useStored } from '../../lib/browser/stored-value'

/** The menu of pages, wide or as icons; wider while chat pages are listed. */
export function SideMenu() {
  const { t } = useTranslation('shell')
  const { isCollapsed, setCollapsed } = useCollapse()
  const { isOpen } = useFolding('chat')
  const isChat = useRouterState({ select: ({ location }) => isChatPath(location.pathname) })
  const hasChats = useChats().length > 0
  const label = t(isCollapsed ? 'menu.expand' : 'menu.collapse')
  const CollapseIcon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <nav
      className={classes.menu}
      aria-label={t('menu.label')}
      data-is-collapsed={isCollapsed || undefined}
      data-is-chat-open={(hasChats && (isOpen || isChat)) || undefined}
    >
      <MenuLinks isCollapsed={isCollapsed} />
      <div className={classes.collapse}>
        <Tip label={label} side="right">
          <ActionIcon aria-label={label} onClick={() => setCollapsed(!isCollapsed)} ml={4}>
            <CollapseIcon size={18} />
          </ActionIcon>
        </Tip>
      </div>
    </nav>
  )
}

const storedCollapse = new StoredValue('default_collapse_sidebar', z.enum(['true', 'false']).nullable(), null, {
  isPlain: true,
})

/** Stored separately: opening the menu on a tablet must not change it on wide screens. */
const storedOnTablet = new StoredValue('sidebar-collapsed-on-tablet', z.boolean(), true)

/** Whether the menu is collapsed, as remembered. The site sets the default; tablets start collapsed. */
function useCollapse() {
  const site = useSite()
  const isTablet = useIsTablet()
  const [chosen, choose] = useStored(storedCollapse)
  const [isOnTablet, setOnTablet] = useStored(storedOnTablet)
  if (isTablet) return { isCollapsed: isOnTablet, setCollapsed: setOnTablet }
  return {
    isCollapsed: chosen === null ? site.default_collapse_sidebar : chosen === 'true',
    setCollapsed: (isCollapsed: boolean) => choose(isCollapsed ? 'true' : 'false'),
  }
}

/** Pages without the side menu: they have one purpose, such as signing in, and nothing beside it. */
const without = /^\/(?:home|chat|setup|login|register|reset|user\/reset|oauth\/.*)?$/

/** Guests have no side menu: nearly every page in it requires an account. */
export const hasSideMenu = (pathname: string, isSignedIn: boolean): boolean => isSignedIn && !without.test(pathname)

/** A chat page of the operator's. */
const isChatPath = (pathname: string): boolean => pathname.startsWith('/chat/')
