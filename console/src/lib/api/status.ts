import { useQuery } from '@tanstack/react-query'
import { statusRoutes } from '@tollgate/contract'
import { createContext, createElement, type ReactNode, use } from 'react'
import * as z from 'zod'

import { read } from './query'
import { StoredValue, useStored } from '../browser/stored-value'

type SiteStatus = statusRoutes.SiteStatus

/** Also stored under keys that existing pages and scripts read. */
const ownQueries = [
  'system_name',
  'logo',
  'footer_html',
  'quota_per_unit',
  'display_in_currency',
  'enable_data_export',
  'enable_drawing',
  'enable_task',
  'mj_notify_enabled',
  'top_up_link',
  'min_topup',
  'enable_online_topup',
  'server_address',
] as const satisfies readonly (keyof SiteStatus)[]

const Chats = z.array(z.record(z.string(), z.string()))

const storedStatus = new StoredValue<SiteStatus | null>('status', statusRoutes.SiteStatus.nullable(), null)
const storedChats = new StoredValue('chats', Chats, [])

/** Stores the site's name, logo and so on for the next first paint. */
export function rememberStatus(status: SiteStatus): void {
  storedStatus.set(status)
  storedChats.set(status.chats)
  for (const name of ownQueries) {
    new StoredValue(name, z.unknown(), undefined, { isPlain: true }).set(status[name])
  }
  // A page that has set its title keeps it: this runs with every change of the address.
  if (!document.title.endsWith(status.system_name)) document.title = status.system_name
  document.querySelector('link[rel=icon]')?.setAttribute('href', status.logo || '/logo.svg')
}

/** Returns the site's logo as last seen. */
export const rememberedLogo = (): string => storedStatus.get()?.logo ?? ''

/** Returns the site's name as last seen; undefined before the first visit that reached the server. */
export const useSiteName = (): string | undefined => useStored(storedStatus)[0]?.system_name

export const statusQuery = {
  ...read(statusRoutes.getStatus),
  staleTime: 60_000,
} as const

const SiteContext = createContext<SiteStatus | undefined>(undefined)

/** Gives pages the site's public status, as last seen until the server has told it. */
export function SiteProvider({ children }: { readonly children: ReactNode }) {
  const { data } = useQuery({ ...statusQuery, initialData: storedStatus.get() ?? undefined })
  return createElement(SiteContext, { value: data }, children)
}

/** Returns the site's public status. The root route loads it before any page is rendered. */
export function useSite(): SiteStatus {
  const site = use(SiteContext)
  if (!site) throw new Error('no site status')
  return site
}

interface ChatEntry {
  readonly name: string
  readonly index: number
}

/** Whether the operator's chat pages are a list of names and addresses; a proxy or an older server may send something else. */
export const areChatsReadable = (chats: unknown): boolean => Chats.safeParse(chats).success

/** Returns the operator's chat pages: each entry is one name with its address. */
export function useChats(): readonly ChatEntry[] {
  const { chats } = useSite()
  if (!areChatsReadable(chats)) return []
  return chats.flatMap((entry, index) => {
    const name = Object.keys(entry)[0]
    return name ? [{ name, index }] : []
  })
}
