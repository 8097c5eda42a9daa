import { dialects, endOfString, type DialectId, type JsonObject } from '@tollgate/dialects'

import { sha256, type Seal } from '../../platform/store/seal'
import { ownerOf } from '../call'
import type { CallContext } from '../call-context'

/** Changes with what a key is made of. */
const version = 1

/** Members that say who asks and what for, and change no response. Of other dialects no member is left out. */
const openAiNotes: ReadonlySet<string> = new Set(['user', 'metadata', 'safety_identifier', 'prompt_cache_key'])
const notesByDialect: Partial<Readonly<Record<DialectId, ReadonlySet<string>>>> = {
  'openai-chat': openAiNotes,
  'openai-responses': openAiNotes,
  'openai-completions': new Set(['user']),
  'openai-embeddings': new Set(['user']),
  'anthropic-messages': new Set(['metadata']),
}

type KeyedCall = Pick<CallContext, 'call' | 'caller' | 'body' | 'view' | 'maxTokens'>

/**
 * Returns the key of a call's response. Calls share it where the same caller makes them at the same address, in the same group, for the same
 * model, with the same headers of their dialect, and their bodies have the same bytes but for notes. Only the site can derive it.
 */
export function responseKey({ call, caller, body, view, maxTokens }: KeyedCall, seal: Pick<Seal, 'sign'>): string {
  const { dialect, request, catalog } = call
  const { userId, tokenId } = ownerOf(caller)
  const scope = catalog.options.ResponseCacheShared ? [] : [userId, tokenId ?? 0]
  const headers = (dialects[dialect].headers ?? []).map((name) => request.headers.get(name) ?? '')
  return seal.sign(
    'response',
    version,
    JSON.stringify(scope),
    caller.group,
    call.method,
    call.path,
    withoutSecret(call.query),
    view.model,
    String(view.includeUsage),
    String(maxTokens),
    JSON.stringify(headers),
    sha256(withoutNotes(body.text, body.json, notesByDialect[dialect])),
  )
}

/** Clients of Google's dialect may name their key there. */
function withoutSecret(query: string): string {
  if (query === '') return query
  const parameters = new URLSearchParams(query)
  parameters.delete('key')
  return parameters.toString()
}

const withoutNotes = (text: string, json: JsonObject, notes: ReadonlySet<string> | undefined): string =>
  notes === undefined || ![...notes].some((name) => Object.hasOwn(json, name)) ? text : withoutMembers(text, notes)

const quote = 0x22
const comma = 0x2c
const open = 0x5b
const close = 0x5d
/** What braces and brackets have in common once this bit is cleared. */
const braceBit = 0x20

/**
 * Returns the JSON text of an object without these of its members: what is left of it has the same bytes as before. A name that is written
 * with escapes stays.
 */
export function withoutMembers(text: string, names: ReadonlySet<string>): string {
  const rest: string[] = []
  let depth = 0
  let start = text.indexOf('{') + 1
  let name: string | null = null
  const endMember = (end: number) => {
    if (name === null || !names.has(name)) rest.push(text.slice(start, end))
    name = null
    start = end + 1
  }
  for (let at = start - 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      if (depth === 1) name ??= text.slice(at + 1, end)
      at = end
    } else if (code === comma) {
      if (depth === 1) endMember(at)
    } else if ((code & ~braceBit) === open) depth += 1
    else if ((code & ~braceBit) === close && --depth === 0) {
      endMember(at)
      break
    }
  }
  return `{${rest.join(',')}}`
}
