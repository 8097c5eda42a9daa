import type { JsonObject } from '@tollgate/dialects'

import { sessionOf, type Session } from '../../channels/routing/session'
import type { ParsedBody } from '../../channels/calls/parsed-body'
import type { Caller, ModelCall } from '../call'
import type { CallView } from './call-view'

/** In which coding agents name their session: https://github.com/openai/codex, https://github.com/anthropics/claude-code */
const sessionHeaders = [
  'session_id',
  'session-id',
  'thread_id',
  'thread-id',
  'x-session-id',
  'x-claude-code-session-id',
  'x-session-affinity',
] as const

/** Vendors cache nothing of shorter prompts. */
const minCachedTokens = 1024
/** Enough to tell conversations apart. */
const maxPrefixLength = 4096

interface Conversing {
  readonly call: Pick<ModelCall, 'endpoint' | 'request'>
  readonly caller: Pick<Caller, 'account'>
  readonly body: Pick<ParsedBody, 'json'>
  readonly view: Pick<CallView, 'prompt' | 'promptTokens'>
}

/**
 * Returns the conversation of a chat: as the client names it, else by how a prompt begins that is long enough to be cached, which stays the same from turn to
 * turn. Null: there is nothing that a vendor's cache would know.
 */
export function conversationOf({ call, caller, body, view }: Conversing): Session | null {
  if (call.endpoint.mode !== 'chat') return null
  const name = namedIn(body.json) ?? namedBy(call.request.headers) ?? beginningOf(view)
  return name === null ? null : sessionOf(caller.account.id, name)
}

function namedIn({ prompt_cache_key: cacheKey, metadata }: JsonObject): string | null {
  if (typeof cacheKey === 'string' && cacheKey !== '') return cacheKey
  const userId = typeof metadata === 'object' && metadata !== null && 'user_id' in metadata ? metadata.user_id : null
  return typeof userId === 'string' && userId !== '' ? userId : null
}

function namedBy(headers: Headers): string | null {
  for (const name of sessionHeaders) {
    const value = headers.get(name)
    if (value) return value
  }
  return null
}

/** The first two texts: instructions and the first turn of the user. */
function beginningOf({ prompt, promptTokens }: Conversing['view']): string | null {
  if (promptTokens < minCachedTokens) return null
  const [first = '', second = ''] = prompt.texts
  return `${first.slice(0, maxPrefixLength)}\0${second.slice(0, maxPrefixLength)}`
}
