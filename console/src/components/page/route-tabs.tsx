import type { Icon } from '@tabler/icons-react'
import { Link, useNavigate, type LinkProps } from '@tanstack/react-router'
import { Fragment, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'

import { useIsNarrow } from '../../lib/browser/breakpoints'
import { ChoiceSelect } from '../fields/choice-select'
import classes from './route-tabs.module.css'

interface RouteTab<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly icon?: Icon
  /** A heading above consecutive tabs of the same group; only in vertical lists. */
  readonly group?: string
  /** Shown at its end as a dot for unsaved changes; in words in the list of narrow screens. */
  readonly mark?: { readonly drawn: ReactNode; readonly text: string }
  readonly link: Pick<LinkProps, 'to' | 'search' | 'params'>
}

interface RouteTabsProps<Name extends string> {
  readonly label: string
  readonly tabs: readonly RouteTab<Name>[]
  /** Undefined where the page shows something else. */
  readonly current: Name | undefined
  /** Shown instead of a tab's name where none is current; in the list of narrow screens. */
  readonly otherLabel?: string
  /** Beside the page instead of above it. */
  readonly isVertical?: boolean
}

/**
 * The parts of a page, each with an address of its own: links that work with back and new windows and arrow keys. Vertical ones become a
 * select where there is no room.
 */
export function RouteTabs<Name extends string>(props: RouteTabsProps<Name>) {
  const { label, tabs, current, otherLabel, isVertical } = props
  const navigate = useNavigate()
  const isNarrow = useIsNarrow()
  const nav = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (current !== undefined && nav.current) showCurrent(nav.current)
  }, [current])
  if (isVertical && isNarrow) {
    const other = current === undefined ? [{ value: '', label: otherLabel ?? '' }] : []
    return (
      <ChoiceSelect
        aria-label={label}
        choices={[
          ...other,
          ...tabs.map(({ name, label, mark, group }) => ({
            value: name,
            label: mark ? `${label} ${mark.text}` : label,
            group,
          })),
        ]}
        value={current ?? ''}
        onChange={(chosen) => {
          const tab = tabs.find(({ name }) => name === chosen)
          if (tab) void navigate(tab.link)
        }}
      />
    )
  }
  return (
    <nav ref={nav} aria-label={label} className={classes.tabs} data-is-vertical={isVertical} onKeyDown={walk}>
      {tabs.map(({ name, label, icon: TabIcon, mark, group, link }, index) => (
        <Fragment key={name}>
          {group !== undefined && group !== tabs[index - 1]?.group && <div className={classes.group}>{group}</div>}
          <Link
            {...link}
            // Otherwise a tab without search parameters would be marked along with another one.
            activeOptions={{ exact: true }}
            className={classes.tab}
            aria-current={name === current ? 'page' : undefined}
          >
            {TabIcon && <TabIcon size={16} stroke={1.6} />}
            <span>{label}</span>
            {mark?.drawn}
          </Link>
        </Fragment>
      ))}
    </nav>
  )
}

/** Scrolls tabs wider than the screen until the current one is centred. */
function showCurrent(nav: HTMLElement) {
  const tab = nav.querySelector('[aria-current="page"]')
  if (!tab) return
  const [around, own] = [nav.getBoundingClientRect(), tab.getBoundingClientRect()]
  nav.scrollLeft += own.left - around.left - (around.width - own.width) / 2
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Moves the focus through the tabs. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const step = steps[event.key]
  const links = [...event.currentTarget.querySelectorAll('a')]
  const index = links.findIndex((link) => link === document.activeElement)
  if (step === undefined || index === -1) return
  event.preventDefault()
  links.at((index + step) % links.length)?.focus()
}
