import * as z from 'zod'
import { tokenRoutes, type ApiError } from '@tollgate/contract'

import { useRead } from '../../../lib/api/query'
import { useSite } from '../../../lib/api/status'
import { useServerAddress } from '../../../lib/url/use-server-address'
import { useTokenKey } from '../../../lib/api/use-token-key'
import { chatTarget, firstChat, firstEnabled, type ChatTarget } from './chat-link'
import { useViewer } from '../../../lib/api/session'
import { StoredValue, useStored } from '../../../lib/browser/stored-value'

/** How many tokens are searched for an enabled one. */
const maxTokens = 100

export interface ReadyChat {
  readonly kind: 'ready'
  readonly target: ChatTarget
  /** Name of the entry. */
  readonly name: string
}

export type ChatLinkState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: ApiError; readonly retry: () => void }
  | { readonly kind: 'no-token' }
  | { readonly kind: 'misconfigured' }
  /** The site hides keys until a proof of identity. */
  | {
      readonly kind: 'hidden'
      readonly tokenName: string
      readonly reveal: () => void
      readonly isRevealing: boolean
    }
  /** A key is about to be sent to another site or an app. */
  | {
      readonly kind: 'asking'
      readonly target: ChatTarget
      readonly name: string
      readonly tokenName: string
      /** Opens the page from now on; an app is opened by its link each time. */
      readonly agree: () => void
    }
  | ReadyChat

interface RequestedChat {
  /** Index in the operator's list; by default the first entry that can be embedded. */
  readonly index?: number | undefined
  /** Id of the token; by default the first enabled one. */
  readonly tokenId?: number | undefined
}

/** A chat entry of the operator's list, with one of the reader's keys. */
export function useChatLink({ index, tokenId }: RequestedChat): ChatLinkState {
  const { chats } = useSite()
  const address = useServerAddress()
  const { isTrusted, trust } = useTrustedSites()
  const tokens = useChatToken(tokenId)
  const token = tokens.data && firstEnabled(tokens.data)
  const known = useTokenKey(token)
  const [name, template] = Object.entries(chats[index ?? firstChat(chats)] ?? {})[0] ?? []
  if (name === undefined || template === undefined) return { kind: 'misconfigured' }
  if (tokens.error) return { kind: 'failed', error: tokens.error, retry: () => void tokens.refetch() }
  if (!tokens.data) return { kind: 'loading' }
  if (!token) return { kind: 'no-token' }
  const target = chatTarget({ template, key: known.key, address })
  if (!target) return { kind: 'misconfigured' }
  if (known.isHidden) return { kind: 'hidden', tokenName: token.name, ...known }
  const isKnown = target.isOwn || isTrusted(target.receiver)
  if (target.kind === 'page' && isKnown) return { kind: 'ready', target, name }
  return { kind: 'asking', target, name, tokenName: token.name, agree: () => trust(target.receiver) }
}

/** Reads the chosen token, or those to search for an enabled one. */
function useChatToken(tokenId: number | undefined) {
  const chosen = useRead(
    tokenRoutes.getToken,
    { params: { id: tokenId ?? 0 } },
    { enabled: tokenId !== undefined, select: (token) => [token] },
  )
  const all = useRead(
    tokenRoutes.listTokens,
    { query: { p: 0, size: maxTokens } },
    { enabled: tokenId === undefined, select: ({ items }) => items },
  )
  return tokenId === undefined ? all : chosen
}

const Trusted = z.array(z.object({ user: z.number().int(), site: z.string() }))
const storedTrust = new StoredValue<z.output<typeof Trusted>>('chat-sites', Trusted, [])

/** Sites that may receive the reader's keys, each confirmed once in this browser. */
function useTrustedSites() {
  const { user } = useViewer()
  const [trusted, setTrusted] = useStored(storedTrust)
  const id = user?.id ?? 0
  const isTrusted = (site: string) => trusted.some((known) => known.user === id && known.site === site)
  return {
    isTrusted,
    trust: (site: string) => {
      if (!isTrusted(site)) setTrusted([...trusted, { user: id, site }])
    },
  }
}
