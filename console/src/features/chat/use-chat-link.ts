import { tokenRoutes, type ApiError } from '@tollgate/contract'

import { useRead } from '../../lib/query'
import { useSite } from '../../lib/status'
import { useServerAddress } from '../../lib/use-server-address'
import { chatLink, firstKey } from './chat-link'

/** Tokens looked at for one that works. */
const mostTokens = 100

export type ChatLinkState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: ApiError; readonly retry: () => void }
  | { readonly kind: 'no-token' }
  | { readonly kind: 'misconfigured' }
  | { readonly kind: 'ready'; readonly link: string; readonly name: string }

/** The chat page at this place of the operator's list, with a key of the reader's. */
export function useChatLink(index: number): ChatLinkState {
  const { chats } = useSite()
  const address = useServerAddress()
  const { data, error, refetch } = useRead(tokenRoutes.listTokens, { query: { p: 0, size: mostTokens } })
  const entry = Object.entries(chats[index] ?? {})[0]
  if (!entry) return { kind: 'misconfigured' }
  if (error) return { kind: 'failed', error, retry: () => void refetch() }
  if (!data) return { kind: 'loading' }
  const key = firstKey(data.items)
  if (key === undefined) return { kind: 'no-token' }
  const [name, template] = entry
  const link = chatLink({ template, key, address })
  return link === undefined ? { kind: 'misconfigured' } : { kind: 'ready', link, name }
}
