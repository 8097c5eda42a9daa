import * as z from 'zod'

import { searchText } from '../../lib/url/page-search'

/**
 * The pages in menu order, and the menu group of each. The texts of a group's options are loaded together, except for those of payment,
 * which are many. Kept here because the address is parsed before the page is loaded.
 */
export const pageGroups = {
  general: 'site',
  operation: 'site',
  other: 'site',
  chats: 'site',
  registration: 'accounts',
  providers: 'accounts',
  security: 'accounts',
  mail: 'accounts',
  quota: 'money',
  'check-in': 'money',
  payment: 'money',
  groups: 'money',
  prices: 'money',
  routing: 'calls',
  'sensitive-words': 'calls',
  drawing: 'calls',
  files: 'calls',
  logs: 'watch',
  dashboard: 'watch',
  monitoring: 'watch',
  events: 'watch',
  backups: 'watch',
} as const

export type PageName = keyof typeof pageGroups
type PageGroup = (typeof pageGroups)[PageName]

/** Text area of a group's options. */
export type OptionTexts = `options-${PageGroup | 'payment'}`

export const optionTextsOf = (page: PageName): OptionTexts =>
  page === 'payment' ? 'options-payment' : `options-${pageGroups[page]}`

export const allOptionTexts: readonly OptionTexts[] = [
  ...new Set((Object.keys(pageGroups) as readonly PageName[]).map(optionTextsOf)),
]

const pageNames = Object.keys(pageGroups) as [PageName, ...PageName[]]

/** Search parameters of the page. */
export const SettingsSearch = z.object({
  page: z.enum(pageNames).optional().catch(undefined),
  /** Shows matches of every page instead of one page. */
  keyword: searchText,
  /** The option whose history is open. */
  history: searchText,
  /** An account at a provider was just linked: its owner may have no access to the settings. */
  linked: z.boolean().optional().catch(undefined),
})
export type SettingsSearch = z.output<typeof SettingsSearch>
