import { ActionIcon } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import * as z from 'zod'

import { Tip } from '../../components/tip'
import { stored, useStored } from '../../lib/storage'
import { useSite } from '../../lib/status'
import { MenuLinks } from './menu-links'
import classes from './shell.module.css'

const storedCollapse = stored('default_collapse_sidebar', z.enum(['true', 'false']).nullable(), null, { isPlain: true })

const storedChatOpen = stored('sidebar-chat-open', z.boolean(), false)

/** Open or narrow, as it was left; the site says how it starts. */
export function SideMenu() {
  const { t } = useTranslation('shell')
  const site = useSite()
  const [chosen, choose] = useStored(storedCollapse)
  const isCollapsed = chosen === null ? site.default_collapse_sidebar : chosen === 'true'
  const [isChatOpen, openChat] = useStored(storedChatOpen)
  const label = t(isCollapsed ? 'menu.expand' : 'menu.collapse')
  const CollapseIcon = isCollapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse
  return (
    <nav
      className={classes.sideMenu}
      aria-label={t('menu.label')}
      data-is-collapsed={isCollapsed || undefined}
      data-is-chat-open={isChatOpen || undefined}
    >
      <MenuLinks isCollapsed={isCollapsed} chats={{ isOpen: isChatOpen, toggle: () => openChat(!isChatOpen) }} />
      <div className={classes.collapse}>
        <Tip label={label} side="right">
          <ActionIcon aria-label={label} onClick={() => choose(isCollapsed ? 'false' : 'true')} ml={4}>
            <CollapseIcon size={18} />
          </ActionIcon>
        </Tip>
      </div>
    </nav>
  )
}
