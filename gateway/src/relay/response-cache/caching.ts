import type { OptionValues } from '@tollgate/contract'
import { namesStored, refersBeyondBody, type DialectId, type JsonObject, type Mode } from '@tollgate/dialects'

import type { CallView } from '../admission/call-view'
import type { Caller } from '../call'
import type { CallContext } from '../call-context'
import { followsOthers } from '../turns/open-turn'

/** How a call takes part in the response cache. */
export interface Caching {
  readonly ttlMs: number
  /** It may be served from the cache. */
  readonly mayFind: boolean
  /** Tools of the vendor may have run for the response. */
  readonly withTools: boolean
}

/** By `x-cache: tools` a caller asks for responses of calls with tools that the vendor runs. */
export const cacheHeader = 'x-cache'

/** Whose responses follow from the request alone, and are text or numbers. */
const modes: ReadonlySet<Mode> = new Set(['chat', 'completions', 'fim', 'embeddings', 'moderation', 'rerank'])

/** Returns how a call takes part in the response cache; null where it does not, and for every call of a site without one. */
export function cachingOf(context: CallContext): Caching | null {
  const { call, caller, body, view, objects, turn } = context
  const { options } = call.catalog
  if (!options.ResponseCacheEnabled) return null
  const minutes = cachedMinutes(caller, options)
  if (minutes === null || !modes.has(call.endpoint.mode) || body.text === '' || body.repeatsNames) return null
  if (
    objects !== null ||
    (turn && followsOthers(turn)) ||
    isStateful(body.json) ||
    !isTextual(view) ||
    namesMediaElsewhere(view, body.json)
  )
    return null
  const { headers } = call.request
  const withTools = options.ResponseCacheTools || directives(headers, cacheHeader).includes('tools')
  if (!withTools && refersBeyondBody(body.json)) return null
  const cacheControl = directives(headers, 'cache-control')
  if (cacheControl.includes('no-store')) return null
  return { ttlMs: minutes * 60_000, mayFind: !cacheControl.includes('no-cache') && turn?.isStored !== true, withTools }
}

/** Returns for how long responses to a caller are stored; null: not at all. Who tries a model or a channel wants to reach it. */
function cachedMinutes({ key, group, pinnedChannelId, ownLogin }: Caller, options: OptionValues): number | null {
  if (key === null || key.responseCache === 'off' || pinnedChannelId !== null || ownLogin !== null) return null
  const ofGroup = options.ResponseCacheGroups[group]
  return ofGroup ?? (key.responseCache === 'on' ? options.ResponseCacheMinutes : null)
}

/** Returns whether a request builds on what a vendor keeps, or leaves something there that a later one may name. */
const isStateful = (body: JsonObject): boolean =>
  namesStored(body) || body['container'] != null || body['store'] === true || body['background'] === true

const isTextual = ({ image, rawType, spokenCharacters, recording, possible }: CallView): boolean =>
  image === undefined &&
  rawType === undefined &&
  spokenCharacters === undefined &&
  recording === undefined &&
  !possible.isSpoken

/** Members that hold the address or the name of a picture or file: what is there may change. */
const addressNames: ReadonlySet<string> = new Set([
  'url',
  'uri',
  'image_url',
  'video_url',
  'video',
  'audio_url',
  'file_url',
  'file_id',
  'fileUri',
  'file_uri',
])

const namesMediaElsewhere = ({ prompt }: CallView, body: JsonObject): boolean =>
  prompt.images + prompt.lowDetailImages + prompt.audios + prompt.files > 0 && namesAddress(body)

/** Requests with media nest no deeper. */
const maxDepth = 16

function namesAddress(value: unknown, name = '', depth = 0): boolean {
  if (typeof value === 'string') return addressNames.has(name) && !value.startsWith('data:')
  if (typeof value !== 'object' || value === null || depth > maxDepth) return false
  if (Array.isArray(value)) return value.some((item: unknown) => namesAddress(item, name, depth + 1))
  return Object.entries(value).some(([inner, member]) => namesAddress(member, inner, depth + 1))
}

/** https://www.rfc-editor.org/rfc/rfc9111#section-5.2 */
function directives(headers: Headers, name: string): readonly string[] {
  const value = headers.get(name)
  return value === null ? noDirectives : value.split(',').map((part) => part.trim().toLowerCase())
}
const noDirectives: readonly string[] = []

/** Applications of vendors, which have conversations and sources of their own. */
const applications: ReadonlySet<DialectId> = new Set(['dify-chat', 'coze-chat', 'aiproxy-library'])

export const isApplication = (dialect: DialectId): boolean => applications.has(dialect)
