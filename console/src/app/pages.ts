import {
  IconChartBar,
  IconCoins,
  IconHome,
  IconInfoCircle,
  IconKey,
  IconListDetails,
  IconMessage2,
  IconPlugConnected,
  type Icon,
} from '@tabler/icons-react'
import type { statusRoutes } from '@tollgate/contract'

import type { Viewer } from '../lib/session'

/** Where a page stands in the menus. */
export type MenuSection = 'top' | 'play' | 'console' | 'admin' | 'personal'

export interface Page {
  readonly path: string
  /** Key of its name in the shell's texts. */
  readonly name: 'home' | 'pricing' | 'about' | 'playground' | 'dashboard' | 'tokens' | 'logs' | 'channels'
  readonly section: MenuSection
  readonly icon: Icon
  /** The letter that jumps there after `g`. */
  readonly letter?: string
  readonly isShown?: (site: statusRoutes.SiteStatus, viewer: Viewer) => boolean
}

const toUsers = (_site: statusRoutes.SiteStatus, { user }: Viewer) => user !== null
const toAdmins = (_site: statusRoutes.SiteStatus, { isAdmin }: Viewer) => isAdmin

/** Every page that stands in a menu; the palette and the shortcuts are made from the same list. */
const pages: readonly Page[] = [
  { path: '/', name: 'home', section: 'top', icon: IconHome, letter: 'h' },
  { path: '/pricing', name: 'pricing', section: 'top', icon: IconCoins, letter: 'p' },
  { path: '/about', name: 'about', section: 'top', icon: IconInfoCircle },
  { path: '/playground', name: 'playground', section: 'play', icon: IconMessage2, letter: 'y', isShown: toUsers },
  {
    path: '/app/dashboard',
    name: 'dashboard',
    section: 'console',
    icon: IconChartBar,
    letter: 'd',
    isShown: (site, viewer) => site.enable_data_export && toUsers(site, viewer),
  },
  { path: '/app/tokens', name: 'tokens', section: 'console', icon: IconKey, letter: 't', isShown: toUsers },
  {
    path: '/app/logs/api-usage',
    name: 'logs',
    section: 'console',
    icon: IconListDetails,
    letter: 'l',
    isShown: toUsers,
  },
  {
    path: '/admin/channels',
    name: 'channels',
    section: 'admin',
    icon: IconPlugConnected,
    letter: 'c',
    isShown: toAdmins,
  },
]

export const pagesFor = (site: statusRoutes.SiteStatus, viewer: Viewer): readonly Page[] =>
  pages.filter(({ isShown }) => isShown?.(site, viewer) ?? true)
