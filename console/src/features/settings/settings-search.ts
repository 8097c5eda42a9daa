import * as z from 'zod'

import { searchText } from '../../lib/page-search'

/**
 * The pages in the order of their menu, and the group of the menu that each stands in. The texts of a group's options are loaded
 * together, but for those of payment, which are many. Written here: the address is read before the page is loaded.
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
  logs: 'watch',
  dashboard: 'watch',
  monitoring: 'watch',
  backups: 'watch',
} as const

export type PageName = keyof typeof pageGroups
type PageGroup = (typeof pageGroups)[PageName]

/** The texts of a group's options. */
export type OptionTexts = `options-${PageGroup | 'payment'}`

export const optionTextsOf = (page: PageName): OptionTexts =>
  page === 'payment' ? 'options-payment' : `options-${pageGroups[page]}`

export const allOptionTexts: readonly OptionTexts[] = [
  ...new Set((Object.keys(pageGroups) as readonly PageName[]).map(optionTextsOf)),
]

const pageNames = Object.keys(pageGroups) as [PageName, ...PageName[]]

/** What the address of the page holds. */
export const SettingsSearch = z.object({
  page: z.enum(pageNames).optional().catch(undefined),
  /** Shows what it finds on every page instead of one page. */
  keyword: searchText,
  /** The option whose history is open. */
  history: searchText,
})
export type SettingsSearch = z.output<typeof SettingsSearch>
