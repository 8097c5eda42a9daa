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

import type { Viewer } from '../lib/session'
import { webAddress } from '../lib/web-address'

/** Where a page stands in the menus. */
export type MenuSection = 'top' | 'play' | 'console' | 'admin' | 'personal'

export interface Page {
  readonly path: string
  /** Key of its name in the shell's texts. */
  readonly name: 'home' | 'pricing' | 'about' | 'playground' | 'dashboard' | 'tokens' | 'logs' | 'channels' | 'settings'
  readonly section: MenuSection
  readonly icon: Icon
  /** The letter that jumps there after `g`. */
  readonly letter?: string
  readonly isShown?: (site: statusRoutes.SiteStatus, viewer: Viewer) => boolean
}

/** Where the console begins. */
export const consolePath = (site: statusRoutes.SiteStatus): string =>
  site.enable_data_export ? '/app/dashboard' : '/app/tokens'

/** The operator's documentation, where there is one. */
export const docsLink = (site: statusRoutes.SiteStatus): string | undefined => webAddress(site.docs_link)

const toAdmins = (_site: statusRoutes.SiteStatus, { isAdmin }: Viewer) => isAdmin

/** Every page that stands in a menu. Guests see those that need an account, too, and sign in on the way. The palette and the shortcuts are made from the same list. */
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
