import {
  IconChartBar,
  IconCoins,
  IconHome,
  IconInfoCircle,
  IconKey,
  IconListDetails,
  IconMessage2,
  IconPlugConnected,
  IconSettings,
  type Icon,
} from '@tabler/icons-react'
import type { statusRoutes } from '@tollgate/contract'
import { lazy, type ComponentType } from 'react'

import type { Viewer } from '../lib/session'
import { webAddress } from '../lib/web-address'
import type texts from '../locales/zh/shell.json'

/** Where a page stands in the menus. Personal pages are in the menu of the account too. */
export type MenuSection = 'top' | 'play' | 'console' | 'admin' | 'personal'

export interface Page {
  readonly path: string
  /** Key of its name in the shell's texts. */
  readonly name: keyof (typeof texts)['page']
  readonly section: MenuSection
  readonly icon: Icon
  /** The letter that jumps there after `g`. */
  readonly letter?: string
  readonly isShown?: (site: statusRoutes.SiteStatus, viewer: Viewer) => boolean
  /** Draws a `MenuCount` beside the name while something there needs a look. Loaded after the page. */
  readonly Badge?: ComponentType<{ readonly isDot: boolean }>
}

/** Where the console begins. */
export const consolePath = (site: statusRoutes.SiteStatus): string =>
  site.enable_data_export ? '/app/dashboard' : '/app/tokens'

const consoleAreas = /^\/(?:app|admin|playground|chat)(?:\/|$)/

/** Whether a page is one of the console's, which the top bar has one link for. */
export const isConsolePath = (pathname: string): boolean => consoleAreas.test(pathname)

/** The operator's documentation, where there is one. */
export const docsLink = (site: statusRoutes.SiteStatus): string | undefined => webAddress(site.docs_link)

const AutoDisabledBadge = lazy(async () => ({
  default: (await import('./shell/auto-disabled-badge')).AutoDisabledBadge,
}))

const toAdmins = (_site: statusRoutes.SiteStatus, { isAdmin }: Viewer) => isAdmin

/**
 * Every page that stands in a menu, in the order of the menus, which the palette, the shortcuts and the account's menu are made
 * from, too. Guests see those that need an account and sign in on the way.
 */
const pages: readonly Page[] = [
  { path: '/', name: 'home', section: 'top', icon: IconHome, letter: 'h' },
  { path: '/pricing', name: 'pricing', section: 'top', icon: IconCoins, letter: 'p' },
  { path: '/about', name: 'about', section: 'top', icon: IconInfoCircle },
  { path: '/playground', name: 'playground', section: 'play', icon: IconMessage2, letter: 'y' },
  {
    path: '/app/dashboard',
    name: 'dashboard',
    section: 'console',
    icon: IconChartBar,
    letter: 'd',
    isShown: (site) => site.enable_data_export,
  },
  { path: '/app/tokens', name: 'tokens', section: 'console', icon: IconKey, letter: 't' },
  {
    path: '/app/logs/api-usage',
    name: 'logs',
    section: 'console',
    icon: IconListDetails,
    letter: 'l',
  },
  {
    path: '/admin/channels',
    name: 'channels',
    section: 'admin',
    icon: IconPlugConnected,
    letter: 'c',
    isShown: toAdmins,
    Badge: AutoDisabledBadge,
  },
  {
    path: '/admin/settings',
    name: 'settings',
    section: 'admin',
    icon: IconSettings,
    letter: 's',
    isShown: toAdmins,
  },
]

export const pagesFor = (site: statusRoutes.SiteStatus, viewer: Viewer): readonly Page[] =>
  pages.filter(({ isShown }) => isShown?.(site, viewer) ?? true)
