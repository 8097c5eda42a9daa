import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useRouterState } from '@tanstack/react-router'

import { EntryBadge, MenuLink, type MenuEntry } from './menu-link'
import classes from './menu.module.css'
import { useFolding, type FoldedSection } from './use-folding'

interface MenuSectionLinksProps {
  readonly section: FoldedSection
  /** Undefined: always open. */
  readonly title: string | undefined
  readonly entries: readonly MenuEntry[]
  readonly isCollapsed: boolean
}

/** A collapsible section of the menu. The current page always stays visible, and so do the badges of collapsed pages. */
export function MenuSectionLinks({ section, title, entries, isCollapsed }: MenuSectionLinksProps) {
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
