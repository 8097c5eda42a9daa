import {
  IconActivityHeartbeat,
  IconListDetails,
  IconMessageOff,
  IconRoute,
  IconShieldLock,
  type Icon,
} from '@tabler/icons-react'
import { optionKeys, optionOf, type OptionKey, type OptionSection } from '@tollgate/contract'
import { lazy, type ComponentType } from 'react'

import type { PageName } from './settings-search'

/** Those that have a page so far. */
type ShownSection = Extract<
  OptionSection,
  'security' | 'relay' | 'rate-limit' | 'sensitive-words' | 'logs' | 'channel-tests' | 'monitoring'
>

export interface SettingsPageEntry {
  readonly name: PageName
  readonly icon: Icon
  readonly sections: readonly ShownSection[]
  /** What the page does besides setting options. */
  readonly Extra?: ComponentType
}

const ClearLogs = lazy(async () => ({ default: (await import('./clear-logs')).ClearLogs }))

/** The pages of the system settings, in the order of their menu. A page is an entry here and the texts of its options. */
export const settingsPages: readonly SettingsPageEntry[] = [
  { name: 'routing', icon: IconRoute, sections: ['relay', 'rate-limit'] },
  { name: 'sensitive-words', icon: IconMessageOff, sections: ['sensitive-words'] },
  { name: 'logs', icon: IconListDetails, sections: ['logs'], Extra: ClearLogs },
  { name: 'security', icon: IconShieldLock, sections: ['security'] },
  { name: 'monitoring', icon: IconActivityHeartbeat, sections: ['channel-tests', 'monitoring'] },
]

export const keysOf = (section: OptionSection): readonly OptionKey[] =>
  optionKeys.filter((key) => optionOf(key).section === section)
