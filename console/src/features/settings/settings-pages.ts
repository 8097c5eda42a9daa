import {
  IconActivityHeartbeat,
  IconAdjustmentsHorizontal,
  IconBell,
  IconBrandGithub,
  IconBrush,
  IconCalendarCheck,
  IconChartBar,
  IconCoins,
  IconCreditCard,
  IconDatabaseExport,
  IconFiles,
  IconGift,
  IconListDetails,
  IconMail,
  IconMessageOff,
  IconMessages,
  IconPalette,
  IconRoute,
  IconServer,
  IconShieldLock,
  IconUserPlus,
  IconUsersGroup,
  type Icon,
} from '@tabler/icons-react'
import {
  isOptionReader,
  optionKeys,
  optionOf,
  type Grant,
  type OptionKey,
  type OptionSection,
} from '@tollgate/contract'
import { lazy, type ComponentType } from 'react'

import type { PageName } from './settings-search'
import type { Settings } from './use-settings'

export interface SettingsPageEntry {
  readonly name: PageName
  readonly icon: Icon
  readonly sections: readonly OptionSection[]
}

type Extra = ComponentType<{ readonly settings: Settings }>

const extra = (load: () => Promise<Extra>) => lazy(async () => ({ default: await load() }))

/** Additional content of sections, below their options. */
export const sectionExtras: Partial<Readonly<Record<OptionSection, Extra>>> = {
  logs: extra(async () => (await import('./clear-logs')).ClearLogs),
  mail: extra(async () => (await import('./test-mail')).TestMail),
  bucket: extra(async () => (await import('./test-bucket')).TestBucket),
  'event-webhooks': extra(async () => (await import('./test-events')).TestEvents),
  'web-search': extra(async () => (await import('./test-web-search')).TestWebSearch),
  proxy: extra(async () => (await import('./proxy-check')).ProxyCheck),
  callback: extra(async () => (await import('./callback-test')).CallbackTest),
  updates: extra(async () => (await import('./version-check')).VersionCheck),
  backups: extra(async () => (await import('./backups')).Backups),
  'price-sync': extra(async () => (await import('./price-sync-link')).PriceSyncLink),
  groups: extra(async () => (await import('./group-limits')).GroupLimits),
  'response-cache': extra(async () => (await import('./response-cache')).ResponseCache),
  oidc: extra(async () => (await import('./oidc-discovery')).OidcDiscovery),
}

/** The pages of the system settings in menu order. A page is an entry here and the texts of its options. */
export const settingsPages: readonly SettingsPageEntry[] = [
  { name: 'general', icon: IconServer, sections: ['address', 'proxy', 'worker'] },
  { name: 'operation', icon: IconAdjustmentsHorizontal, sections: ['operation', 'money'] },
  { name: 'other', icon: IconPalette, sections: ['appearance', 'texts', 'code', 'updates'] },
  { name: 'chats', icon: IconMessages, sections: ['chats'] },
  { name: 'registration', icon: IconUserPlus, sections: ['login', 'mail-domains', 'bot-check'] },
  { name: 'providers', icon: IconBrandGithub, sections: ['github', 'oidc', 'linuxdo', 'wechat', 'telegram'] },
  { name: 'security', icon: IconShieldLock, sections: ['security', 'request-limits'] },
  { name: 'mail', icon: IconMail, sections: ['mail'] },
  { name: 'quota', icon: IconGift, sections: ['quota', 'invitation'] },
  { name: 'check-in', icon: IconCalendarCheck, sections: ['check-in'] },
  { name: 'payment', icon: IconCreditCard, sections: ['payment', 'epay', 'stripe', 'callback', 'invoices'] },
  { name: 'groups', icon: IconUsersGroup, sections: ['groups'] },
  { name: 'prices', icon: IconCoins, sections: ['price-sync', 'prices'] },
  {
    name: 'routing',
    icon: IconRoute,
    sections: ['relay', 'models', 'rate-limit', 'realtime', 'response-cache', 'web-search'],
  },
  { name: 'sensitive-words', icon: IconMessageOff, sections: ['sensitive-words'] },
  { name: 'drawing', icon: IconBrush, sections: ['drawing'] },
  { name: 'files', icon: IconFiles, sections: ['files', 'bucket'] },
  { name: 'logs', icon: IconListDetails, sections: ['logs'] },
  { name: 'dashboard', icon: IconChartBar, sections: ['dashboard'] },
  { name: 'monitoring', icon: IconActivityHeartbeat, sections: ['channel-tests', 'monitoring', 'balance-alerts'] },
  { name: 'events', icon: IconBell, sections: ['events', 'event-webhooks'] },
  { name: 'backups', icon: IconDatabaseExport, sections: ['backups'] },
]

export const keysOf = (section: OptionSection): readonly OptionKey[] =>
  optionKeys.filter((key) => optionOf(key).section === section)

/** Returns the pages for these grants, without those whose options are readable by everyone anyway. */
export const pagesFor = (grants: Iterable<Grant>): readonly SettingsPageEntry[] => {
  const held = [...grants]
  return settingsPages.filter(({ sections }) =>
    sections.some((section) => keysOf(section).some((key) => isOptionReader(held, key))),
  )
}
