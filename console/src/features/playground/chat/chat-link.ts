import { tokenStatus } from '@tollgate/contract'

import { webAddress } from '../../../lib/url/web-address'

interface Template {
  /** Contains `{key}` and `{address}`. */
  readonly template: string
  /** Without `sk-`. */
  readonly key: string
  /** Address of the gateway. */
  readonly address: string
}

/** The target of a chat entry: a page to embed, or an app that the link opens. */
export interface ChatTarget {
  readonly kind: 'page' | 'app'
  readonly link: string
  /** The receiver of the key: the page's origin, or the app's scheme. */
  readonly receiver: string
  /** The page is on the console's own origin, so the key does not leave the site. */
  readonly isOwn: boolean
}

/** Schemes that run or show content of the link instead of opening an app. */
const neverOpened = /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source|ws|wss):$/

/** Returns the target of a chat entry for a key; undefined when a browser must not open it. */
export function chatTarget({ template, key, address }: Template): ChatTarget | undefined {
  const filled = template
    .replaceAll('{key}', encodeURIComponent(`sk-${key}`))
    .replaceAll('{address}', encodeURIComponent(address))
  const page = webAddress(filled)
  if (page !== undefined) {
    const { origin } = new URL(page)
    return { kind: 'page', link: page, receiver: origin, isOwn: origin === location.origin }
  }
  const app = URL.canParse(filled) ? new URL(filled) : undefined
  if (!app || neverOpened.test(app.protocol)) return undefined
  return { kind: 'app', link: app.href, receiver: `${app.protocol}//`, isOwn: false }
}

type Chats = readonly Readonly<Record<string, string>>[]

/** Returns the index of the first entry that is a page, or else of the first app; -1 when there is neither. */
export function firstChat(chats: Chats): number {
  const kinds = chats.map(
    (entry) => chatTarget({ template: Object.values(entry)[0] ?? '', key: '', address: '' })?.kind,
  )
  return kinds.includes('page') ? kinds.indexOf('page') : kinds.indexOf('app')
}

interface Token {
  readonly name: string
  readonly status: number
  readonly key: string
}

/** Returns the first enabled token. */
export const firstEnabled = <T extends Token>(tokens: readonly T[]): T | undefined =>
  tokens.find(({ status, key }) => status === tokenStatus.enabled && key !== '')
