import { holdsAny, presetOf, userIdHeader, type Grant } from '@tollgate/contract'

import { earlyKey } from '../../lib/early'
import type { FirstRead, Opened } from '../../lib/first-reads'
import { searchValue } from '../../lib/search-value'
import { firstReads } from './first-reads'

/** What the build knows of the pages; written by `vite/early-script.ts`. */
declare const builtPages: {
  /** By path: the files of its code, its areas of texts, and whether guests are sent to sign in. */
  readonly pages: Readonly<Record<string, { files: string[]; areas: string[]; hasGuests: boolean }>>
  /** Files by language and area; that of every page under ''. */
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Runs within `index.html`: asks for the status, for what the page reads first and for the files of its code and texts, while the base is
 * on its way. Whatever is missing here or differs, the page asks for itself.
 */
function open(): void {
  const at = Date.now()
  const { pages, texts } = builtPages
  const answers = new Map<string, Promise<Response>>()
  window.early = { at, answers, texts }
  const language = (localStorage.getItem('i18nextLng') || navigator.language).slice(0, 2).toLowerCase()
  const spoken = texts[language] ? language : 'zh'
  const user = remembered('user')
  const headers = new Headers({ 'Accept-Language': spoken })
  if (user) headers.set(userIdHeader, String(user.id))

  const ask = ([path, query = {}]: FirstRead) => {
    const address = path + textOf(query)
    const answer = fetch(address, { headers, cache: 'no-store' })
    // Whoever takes it hears of a failure.
    answer.catch(() => {})
    answers.set(earlyKey(address, headers), answer)
  }
  ask(['/api/status'])

  const path = location.pathname.replace(/(.)\/$/, '$1')
  const page = pages[path] ?? pages[path.replace(/\/[^/]*$/, '')]
  const isSentAway = !page?.hasGuests && !user
  if (!isSentAway) readsOf(path, user, at).forEach(ask)
  const shown = isSentAway ? pages['/login'] : page
  for (const file of [...(shown?.files ?? []), ...['', ...(shown?.areas ?? [])].map((area) => texts[spoken]?.[area])])
    if (file) preload(file)
}

function readsOf(path: string, user: ReturnType<typeof remembered>, at: number): readonly FirstRead[] {
  const page = firstReads[path]
  // Seen as another user, the console asks in that user's name.
  if (!page || sessionStorage.getItem('viewed-user')) return []
  const told = remembered('grants')
  const grants: Grant[] = told && told.userId === user?.id ? told.grants : presetOf(user?.role ?? 0)
  if (page.grants && !holdsAny(grants, page.grants)) return []
  const opened: Opened<unknown> = {
    search: searchOf(location.search),
    at,
    size: remembered('page-size') ?? 10,
    messageSize: remembered('message-page-size') ?? 10,
    readsAll: holdsAny(grants, 'logs.read'),
    usualStep: remembered('status')?.data_export_default_time ?? 'hour',
  }
  return page.reads(opened as Opened<never>)
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

/** What earlier visits left in the browser, unchecked. */
const remembered = (key: string) => JSON.parse(localStorage.getItem(key) ?? 'null')

/** The query as the client of the contract writes it. */
function textOf(query: NonNullable<FirstRead[1]>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === 'object' ? value.join('\n') : String(value)]],
  )
  const text = new URLSearchParams(given).toString()
  return text && `?${text}`
}

function preload(file: string): void {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = `/${file}`
  document.head.append(link)
}

// Below everything it calls.
try {
  open()
} catch {
  // Without storage.
}
