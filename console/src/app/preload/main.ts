import { holdsAny, logType, presetOf, userIdHeader, type Grant } from '@tollgate/contract'

import { preloadKey } from '../../lib/api/preload'
import type { FirstRead, Opened } from '../../lib/api/first-reads'
import { pageSizeFor } from '../../lib/url/page-size'
import { searchValue } from '../../lib/url/search-value'
import { firstReads } from './first-reads'

/** Facts about pages known at build time; written by `vite/preload-script.ts`. */
declare const builtPages: {
  /** By path: the files of its code, its text areas, and whether guests are sent to sign in. */
  readonly pages: Readonly<Record<string, { files: string[]; areas: string[]; hasGuests: boolean }>>
  /** Files by language and area; the area '' is needed by every page. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Tells whether the reader needs the steps to the first call: `useFirstCall`. */
const lastCall: FirstRead = ['/api/log/self', { p: 1, page_size: 1, type: logType.consumption }]

/**
 * Runs inside `index.html`: requests the status, the first reads of the page and the files of its code and texts while the base bundle
 * loads. Whatever is missing here or differs, the page requests itself.
 */
function open(): void {
  const at = Date.now()
  const { pages, texts } = builtPages
  const responses = new Map<string, Promise<Response>>()
  const bodies = new Map<string, string>()
  window.preload = { at, responses, bodies, texts }
  const language = (localStorage.getItem('i18nextLng') || navigator.language).slice(0, 2).toLowerCase()
  const spoken = texts[language] ? language : 'zh'
  const user = readStored('user')
  const headers = new Headers({ 'Accept-Language': spoken })
  if (user) headers.set(userIdHeader, String(user.id))

  const request = ([path, query = {}]: FirstRead) => {
    const address = path + textOf(query)
    const response = fetch(address, { headers, cache: 'no-store' })
    const key = preloadKey(address, user?.id, spoken)
    responses.set(key, response)
    const keepBody = async () => {
      const arrived = await response
      const body = await arrived.clone().text()
      if (arrived.ok && responses.has(key)) bodies.set(key, body)
    }
    // The consumer handles a failure.
    keepBody().catch(() => {})
  }
  request(['/api/status'])

  const path = location.pathname.replace(/(.)\/$/, '$1')
  const page = pages[path] ?? pages[path.replace(/\/[^/]*$/, '')]
  const isSentAway = !page?.hasGuests && !user
  if (!isSentAway) readsOf(path, user, at).forEach(request)
  const shown = isSentAway ? pages['/login'] : page
  for (const file of [...(shown?.files ?? []), ...['', ...(shown?.areas ?? [])].map((area) => texts[spoken]?.[area])])
    if (file) preload(file)
}

function readsOf(path: string, user: ReturnType<typeof readStored>, at: number): readonly FirstRead[] {
  const page = firstReads[path]
  // When viewing as another user, requests must be made in that user's name.
  if (!page || sessionStorage.getItem('viewed-user')) return []
  const knownGrants = readStored('grants')
  const grants: Grant[] =
    knownGrants && knownGrants.userId === user?.id ? knownGrants.grants : presetOf(user?.role ?? 0)
  if (page.grants && !holdsAny(grants, page.grants)) return []
  const opened: Opened<unknown> = {
    search: searchOf(location.search),
    at,
    size: readStored('page-size') ?? pageSizeFor(innerHeight),
    messageSize: readStored('message-page-size') ?? pageSizeFor(innerHeight),
    readsAll: holdsAny(grants, 'logs.read'),
    usualStep: readStored('status')?.data_export_default_time ?? 'hour',
  }
  const isGuided = page.hasChecklist && !readStored('onboarding-dismissed')
  return [...page.reads(opened as Opened<never>), ...(isGuided ? [lastCall] : [])]
}

function searchOf(text: string): Readonly<Record<string, unknown>> {
  const read = (value: string) => {
    try {
      return searchValue(value)
    } catch {
      return value
    }
  }
  return Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, read(value)]))
}

/** Reads what earlier visits stored, unchecked. */
const readStored = (key: string) => JSON.parse(localStorage.getItem(key) ?? 'null')

/** Serializes the query exactly as the contract's client does. */
function textOf(query: NonNullable<FirstRead[1]>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'object' ? value.join('\n') : String(value)]],
  )
  const text = new URLSearchParams(parameters).toString()
  return text && `?${text}`
}

function preload(file: string): void {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = `/${file}`
  document.head.append(link)
}

// Called last, below everything it uses.
try {
  open()
} catch {
  // Storage is unavailable.
}
