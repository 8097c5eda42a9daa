import {
  IconBrush,
  IconChartBar,
  IconCoins,
  IconCreditCard,
  IconHistory,
  IconHome,
  IconInfoCircle,
  IconKey,
  IconListDetails,
  IconMessage2,
  IconMovie,
  IconPackages,
  IconPlugConnected,
  IconReceipt2,
  IconServerCog,
  IconSettings,
  IconSpeakerphone,
  IconTicket,
  IconUserCircle,
  IconUsers,
  IconWallet,
  type Icon,
} from '@tabler/icons-react'
import { settingsReaders, type Grant, type statusRoutes } from '@tollgate/contract'
import { lazy, type ComponentType } from 'react'

import { currentLanguage } from '../lib/text/i18n'
import type { Language } from '../lib/text/language'
import type { Viewer } from '../lib/api/session'
import { webAddress } from '../lib/url/web-address'

/** Menu section of a page. Personal pages are in the account menu too. */
export type MenuSection = 'top' | 'play' | 'console' | 'admin' | 'personal'

interface PageEntry {
  readonly path: string
  readonly name: Readonly<Record<Language, string>>
  readonly section: MenuSection
  readonly icon: Icon
  /** Pressed after `g`, opens the page. */
  readonly letter?: string
  readonly isShown?: (site: statusRoutes.SiteStatus, viewer: Viewer) => boolean
  /** Renders a `MenuCount` beside the name while something there needs attention. Loaded after the page. */
  readonly Badge?: ComponentType<{ readonly isDot: boolean }>
}

/** A page with its name in the reader's language. */
export type Page = Omit<PageEntry, 'name'> & { readonly name: string }

/** Returns the first page of the console. */
export const consolePath = (site: statusRoutes.SiteStatus): string =>
  site.enable_data_export ? '/app/dashboard' : '/app/tokens'

const consoleAreas = /^\/(?:app|admin|playground|chat)(?:\/|$)/

/** Whether a page belongs to the console, which has a single link in the top bar. */
export const isConsolePath = (pathname: string): boolean => consoleAreas.test(pathname)

/** Returns the address of the operator's documentation, if any. */
export const docsLink = (site: statusRoutes.SiteStatus): string | undefined => webAddress(site.docs_link)

/** The page's own requests go first, on a slow machine too. Tests do not wait for it. */
export const badgeDelay = { ms: 6000 }

const AutoDisabledBadge = lazy(async () => {
  await new Promise((resolve) => setTimeout(resolve, badgeDelay.ms))
  return { default: (await import('./shell/auto-disabled-badge')).AutoDisabledBadge }
})

const toHolders =
  (required: Grant | readonly Grant[]) =>
  (_site: statusRoutes.SiteStatus, { may }: Viewer) =>
    may(required)

/**
 * Every menu page in menu order; also the source of the palette, the shortcuts and the account menu. Guests see those of the
 * top bar, which require no account.
 */
export const pages: readonly PageEntry[] = [
  { path: '/', name: { zh: '首页', en: 'Home' }, section: 'top', icon: IconHome, letter: 'h' },
  { path: '/pricing', name: { zh: '模型价格', en: 'Pricing' }, section: 'top', icon: IconCoins, letter: 'p' },
  { path: '/about', name: { zh: '关于', en: 'About' }, section: 'top', icon: IconInfoCircle },
  { path: '/playground', name: { zh: '操练场', en: 'Playground' }, section: 'play', icon: IconMessage2, letter: 'y' },
  {
    path: '/app/dashboard',
    name: { zh: '数据看板', en: 'Dashboard' },
    section: 'console',
    icon: IconChartBar,
    letter: 'd',
    isShown: (site) => site.enable_data_export,
  },
  { path: '/app/tokens', name: { zh: 'API 令牌', en: 'API tokens' }, section: 'console', icon: IconKey, letter: 't' },
  {
    path: '/app/connect',
    name: { zh: '接入', en: 'Connect' },
    section: 'console',
    icon: IconPlugConnected,
    letter: 'o',
  },
  {
    path: '/app/logs/api-usage',
    name: { zh: '使用日志', en: 'Usage log' },
    section: 'console',
    icon: IconListDetails,
    letter: 'l',
  },
  {
    path: '/app/logs/drawing',
    name: { zh: '绘图日志', en: 'Drawing log' },
    section: 'console',
    icon: IconBrush,
    isShown: (site) => site.enable_drawing,
  },
  {
    path: '/app/logs/tasks',
    name: { zh: '任务日志', en: 'Task log' },
    section: 'console',
    icon: IconMovie,
    isShown: (site) => site.enable_task,
  },
  {
    path: '/admin/channels',
    name: { zh: '渠道', en: 'Channels' },
    section: 'admin',
    icon: IconPlugConnected,
    letter: 'c',
    isShown: toHolders('channels.read'),
    Badge: AutoDisabledBadge,
  },
  {
    path: '/admin/prices',
    name: { zh: '价格管理', en: 'Prices' },
    section: 'admin',
    icon: IconReceipt2,
    isShown: toHolders('prices.read'),
  },
  {
    path: '/admin/earnings',
    name: { zh: '收益', en: 'Earnings' },
    section: 'admin',
    icon: IconCoins,
    isShown: toHolders('costs.read'),
  },
  {
    path: '/admin/coupons',
    name: { zh: '兑换码管理', en: 'Redemption codes' },
    section: 'admin',
    icon: IconTicket,
    isShown: toHolders('codes.read'),
  },
  {
    path: '/admin/orders',
    name: { zh: '充值订单', en: 'Orders' },
    section: 'admin',
    icon: IconCreditCard,
    isShown: toHolders('orders.read'),
  },
  {
    path: '/admin/plans',
    name: { zh: '套餐管理', en: 'Plans' },
    section: 'admin',
    icon: IconPackages,
    isShown: toHolders('orders.read'),
  },
  {
    path: '/admin/messages',
    name: { zh: '消息管理', en: 'Messages' },
    section: 'admin',
    icon: IconSpeakerphone,
    isShown: toHolders('messages.read'),
  },
  {
    path: '/admin/users',
    name: { zh: '用户管理', en: 'Users' },
    section: 'admin',
    icon: IconUsers,
    letter: 'u',
    isShown: toHolders('users.read'),
  },
  {
    path: '/admin/tokens',
    name: { zh: '用户令牌', en: 'User tokens' },
    section: 'admin',
    icon: IconKey,
    isShown: toHolders('users.read'),
  },
  {
    path: '/admin/audit',
    name: { zh: '审计日志', en: 'Audit log' },
    section: 'admin',
    icon: IconHistory,
    letter: 'a',
    isShown: toHolders('audit.read'),
  },
  {
    path: '/admin/settings',
    name: { zh: '系统设置', en: 'System settings' },
    section: 'admin',
    icon: IconSettings,
    letter: 's',
    isShown: toHolders(settingsReaders),
  },
  { path: '/app/wallet', name: { zh: '钱包', en: 'Wallet' }, section: 'personal', icon: IconWallet, letter: 'w' },
  {
    path: '/app/plans',
    name: { zh: '我的套餐', en: 'My plans' },
    section: 'personal',
    icon: IconPackages,
    isShown: (_site, { hasPlans }) => hasPlans,
  },
  {
    path: '/admin/system',
    name: { zh: '系统状态', en: 'System' },
    section: 'admin',
    icon: IconServerCog,
    isShown: toHolders('settings.read'),
  },
  {
    path: '/app/me',
    name: { zh: '个人设置', en: 'Personal settings' },
    section: 'personal',
    icon: IconUserCircle,
    letter: 'm',
  },
]

const translateName = (page: PageEntry): Page => ({ ...page, name: page.name[currentLanguage()] })

export const pagesFor = (site: statusRoutes.SiteStatus, viewer: Viewer): readonly Page[] =>
  pages
    .filter(({ section, isShown }) => (viewer.user !== null || section === 'top') && (isShown?.(site, viewer) ?? true))
    .map(translateName)
