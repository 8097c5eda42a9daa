import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { Suspense } from 'react'
import { type Icon, IconBook, IconChevronDown, IconMessages } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import * as z from 'zod'

import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useChats, useSite } from '../../lib/api/status'
import { docsLink, type MenuSection, type Page, pagesFor } from '../pages'
import classes from './menu.module.css'
import { Tip } from '../../components/tip'
import { StoredValue, useStored } from '../../lib/browser/stored-value'

const sections: readonly MenuSection[] = ['play', 'console', 'admin', 'personal']

interface MenuLinksProps {
  /** Icons only. */
  readonly isCollapsed: boolean
  /** Includes the pages of the top bar, for phones. */
  readonly hasTopPages?: boolean
}

/** The pages in their sections, in the order of the list of pages, and the operator's chat pages. Guests have those of the top bar. */
export function MenuLinks({ isCollapsed, hasTopPages = false }: MenuLinksProps) {
  const { t } = useTranslation('shell')
  const site = useSite()
  const chats = useChats()
  const viewer = useViewer()
  const pages = pagesFor(site, viewer)
  const entriesOf = (section: MenuSection) =>
    pages
      .filter((page) => page.section === section)
      .map(({ path, name, icon, Badge }) => ({ path, text: name, icon, Badge }))
  return (
    <>
      {hasTopPages && (
        <div>
          {entriesOf('top').map((entry) => (
            <MenuLink key={entry.path} {...entry} isCollapsed={isCollapsed} />
          ))}
          <DocsLink href={docsLink(site)} />
        </div>
      )}
      {(viewer.user ? sections : []).map((section) => (
        <div key={section}>
          <MenuSectionLinks
            section={section}
            // The first section has no heading.
            title={section === 'play' || section === 'top' ? undefined : t(`section.${section}`)}
            entries={entriesOf(section)}
            isCollapsed={isCollapsed}
          />
          {section === 'play' && (
            <MenuSectionLinks
              section="chat"
              title={t('section.chat')}
              entries={chats.map(({ name, index }) => ({ path: `/chat/${index}`, text: name, icon: IconMessages }))}
              isCollapsed={isCollapsed}
            />
          )}
        </div>
      ))}
    </>
  )
}

function DocsLink({ href }: { readonly href: string | undefined }) {
  const { t } = useTranslation('shell')
  if (href === undefined) return null
  return (
    <a className={classes.link} href={href} target="_blank" rel="noreferrer">
      <IconBook size={18} stroke={1.7} />
      <span className={classes.linkText}>{t('page.docs')}</span>
    </a>
  )
}

interface MenuSectionLinksProps {
  readonly section: FoldedSection
  /** Undefined: always open. */
  readonly title: string | undefined
  readonly entries: readonly MenuEntry[]
  readonly isCollapsed: boolean
}

/** A collapsible section of the menu. The current page always stays visible, and so do the badges of collapsed pages. */
function MenuSectionLinks({ section, title, entries, isCollapsed }: MenuSectionLinksProps) {
  const { isOpen, setOpen } = useFolding(section)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  if (entries.length === 0) return null
  const isExpanded = isCollapsed || title === undefined || isOpen
  const isHere = ({ path }: MenuEntry) => pathname === path || pathname.startsWith(`${path}/`)
  const drawn = isExpanded ? entries : entries.filter(isHere)
  const hidden = entries.filter((entry) => !drawn.includes(entry))
  return (
    <>
      {title !== undefined &&
        (isCollapsed ? (
          <div className={classes.divide} />
        ) : (
          <UnstyledButton className={classes.sectionName} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {title}
            <IconChevronDown size={14} />
            {hidden.map(({ path, Badge }) => (
              <EntryBadge key={path} Badge={Badge} isDot={false} />
            ))}
          </UnstyledButton>
        ))}
      {drawn.map((entry) => (
        <MenuLink key={entry.path} {...entry} isCollapsed={isCollapsed} />
      ))}
    </>
  )
}

interface MenuEntry {
  readonly path: string
  readonly text: string
  readonly icon: Icon
  readonly Badge?: Page['Badge']
}

interface EntryBadgeProps extends Pick<MenuEntry, 'Badge'> {
  readonly isDot: boolean
}

/** The badge of an entry, if it has one. Its code arrives after the page. */
function EntryBadge({ Badge, isDot }: EntryBadgeProps) {
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

function MenuLink({ path, text, icon: LinkIcon, Badge, isCollapsed }: MenuLinkProps) {
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

type FoldedSection = MenuSection | 'chat'

/** Chat pages belong to other sites and start collapsed. */
const folded: ReadonlySet<FoldedSection> = new Set(['chat'])

const storedFolding = new StoredValue<Record<string, boolean>>('sidebar-open', z.record(z.string(), z.boolean()), {})

/** Whether a section of the menu is open, as remembered. */
export function useFolding(section: FoldedSection) {
  const [open, setStored] = useStored(storedFolding)
  return {
    isOpen: open[section] ?? !folded.has(section),
    setOpen: (isOpen: boolean) => setStored({ ...open, [section]: isOpen }),
  }
}
