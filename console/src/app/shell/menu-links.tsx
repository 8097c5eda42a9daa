import { UnstyledButton } from '@mantine/core'
import { IconBook, IconChevronDown, IconChevronRight, IconMessages, type Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'

import { Tip } from '../../components/tip'
import { useViewer } from '../../lib/session'
import { useSite } from '../../lib/status'
import { docsLink, pagesFor, type MenuSection } from '../pages'
import classes from './shell.module.css'
import { useChats } from '../../lib/use-chats'

const sections: readonly MenuSection[] = ['play', 'console', 'admin', 'personal']

interface MenuLinksProps {
  readonly isCollapsed: boolean
  /** On phones the top bar's pages stand here too. */
  readonly hasTopPages?: boolean
  /** Whether the chat pages are shown, where they can be folded away. */
  readonly chats?: Folding
}

interface Folding {
  readonly isOpen: boolean
  readonly toggle: () => void
}

export function MenuLinks({ isCollapsed, hasTopPages = false, chats }: MenuLinksProps) {
  const { t } = useTranslation('shell')
  const site = useSite()
  const pages = pagesFor(site, useViewer())
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
            {section === 'top' && <DocsLink href={docsLink(site)} />}
            {section === 'play' && <ChatLinks isCollapsed={isCollapsed} folding={chats} />}
          </div>
        )
      })}
    </>
  )
}

function DocsLink({ href }: { readonly href: string | undefined }) {
  const { t } = useTranslation('shell')
  if (href === undefined) return null
  return (
    <a className={classes.sideLink} href={href} target="_blank" rel="noreferrer">
      <IconBook size={18} stroke={1.7} />
      <span className={classes.sideLinkText}>{t('page.docs')}</span>
    </a>
  )
}

interface ChatLinksProps {
  readonly isCollapsed: boolean
  readonly folding: Folding | undefined
}

/** The operator's chat pages; a narrow menu and that of phones show them always. */
function ChatLinks({ isCollapsed, folding }: ChatLinksProps) {
  const { t } = useTranslation('shell')
  const chats = useChats()
  if (chats.length === 0) return null
  const isShown = isCollapsed || !folding || folding.isOpen
  return (
    <>
      {folding && !isCollapsed ? (
        <UnstyledButton
          className={`${classes.sectionName} ${classes.chatSection}`}
          aria-expanded={isShown}
          onClick={folding.toggle}
        >
          {t('section.chat')}
          {isShown ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        </UnstyledButton>
      ) : (
        <div className={classes.sectionName}>{!isCollapsed && t('section.chat')}</div>
      )}
      {(isShown ? chats : []).map(({ name, index }) => (
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
