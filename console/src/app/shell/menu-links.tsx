import { IconMessages, type Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

import { Tip } from '../../components/tip'
import { useViewer } from '../../lib/session'
import { useSite } from '../../lib/status'
import { pagesFor, type MenuSection } from '../pages'
import classes from './shell.module.css'
import { useChats } from '../../lib/use-chats'

const sections: readonly MenuSection[] = ['play', 'console', 'admin', 'personal']

interface MenuLinksProps {
  readonly isCollapsed: boolean
  /** On phones the top bar's pages stand here too. */
  readonly hasTopPages?: boolean
}

export function MenuLinks({ isCollapsed, hasTopPages = false }: MenuLinksProps) {
  const { t } = useTranslation('shell')
  const pages = pagesFor(useSite(), useViewer())
  return (
    <>
      {(hasTopPages ? (['top', ...sections] as const) : sections).map((section) => {
        const own = pages.filter((page) => page.section === section)
        if (own.length === 0) return null
        const isNamed = section !== 'top' && section !== 'play'
        return (
          <div key={section}>
            {isNamed && <div className={classes.sectionName}>{!isCollapsed && t(`section.${section}`)}</div>}
            {own.map(({ path, name, icon }) => (
              <MenuLink key={path} to={path} text={t(`page.${name}`)} icon={icon} isCollapsed={isCollapsed} />
            ))}
            {section === 'play' && <ChatLinks isCollapsed={isCollapsed} />}
          </div>
        )
      })}
    </>
  )
}

function ChatLinks({ isCollapsed }: { readonly isCollapsed: boolean }) {
  const { t } = useTranslation('shell')
  const chats = useChats()
  if (chats.length === 0) return null
  return (
    <>
      <div className={classes.sectionName}>{!isCollapsed && t('section.chat')}</div>
      {chats.map(({ name, index }) => (
        <MenuLink key={index} to={`/chat/${index}`} text={name} icon={IconMessages} isCollapsed={isCollapsed} />
      ))}
    </>
  )
}

interface MenuLinkProps {
  readonly to: string
  readonly text: string
  readonly icon: Icon
  readonly isCollapsed: boolean
}

function MenuLink({ to, text, icon: LinkIcon, isCollapsed }: MenuLinkProps) {
  return (
    <Tip label={text} side="right" isDisabled={!isCollapsed}>
      <Link
        to={to}
        className={classes.sideLink}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        aria-label={isCollapsed ? text : undefined}
      >
        <LinkIcon size={18} stroke={1.7} />
        {!isCollapsed && <span className={classes.sideLinkText}>{text}</span>}
      </Link>
    </Tip>
  )
}
