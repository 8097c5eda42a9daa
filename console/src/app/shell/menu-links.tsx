import { IconBook, IconMessages } from '@tabler/icons-react'

import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { useSite } from '../../lib/api/status'
import { useChats } from '../../lib/api/use-chats'
import { docsLink, pagesFor, type MenuSection } from '../pages'
import { MenuLink } from './menu-link'
import { MenuSectionLinks } from './menu-section'
import classes from './menu.module.css'

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
