import { dialects, finishSteps, type TranslatedCall } from '@tollgate/dialects'
import {
  descriptionOf,
  headersWithoutParts,
  loginHeaders,
  forceStreaming,
  withParameters,
  type RefusedPart,
  type ModeDescription,
  type Target,
} from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import type { Catalog, Choice, OwnLogin } from '../catalog/catalog'
import type { RequestBody, UpstreamRequest } from '@tollgate/http-client'
import type { Lesson, RequestedCall } from './requested-call'
import { addressBelow } from './address-below'
import { bodyOf } from './parsed-body'
import { writeBodyInSteps, type WrittenBody } from './write-body'
import { rewritesFor, rewrittenHeaders } from './rewrite'
import { signingOf, type Signing } from './signing'

/** One attempt, ready to be sent. */
export interface Prepared extends Signing {
  readonly request: UpstreamRequest
  readonly description: ModeDescription
  /** A call in one piece that is sent as a stream, whose events are gathered. */
  readonly isGathered: boolean
  /** The vendor compacts the conversation itself. */
  readonly isCompaction?: boolean
  /** The calls that are made in place of this one, each prepared when it is its turn. */
  readonly shares?: readonly (() => Prepared)[]
  /** Set when client and upstream speak different dialects. */
  readonly translated?: TranslatedCall
  /** The upstream's name for the model. */
  readonly upstreamModel: string
  readonly isModelMapped: boolean
  readonly reasoningEffort?: string
  /** Nothing may be left out. */
  readonly isUntouched: boolean
  /** Parts left out as the upstream refused them. */
  readonly without: readonly RefusedPart[]
  /** What the vendor cannot be asked for, beside what its dialect cannot express. */
  readonly leftOut?: readonly string[]
  /** The channel's own, when it was put into the request. */
  readonly systemPrompt?: string
  /** Headers of the upstream that its client reads of its own account. Absent: the call has a key of the channel. */
  readonly returnedHeaders?: readonly string[] | undefined
  /** The service tier requested from the upstream; null: the standard one. */
  readonly serviceTier: string | null
}

/**
 * Writes the request of one attempt: model mapping, the channel's system prompt, the upstream's dialect, what the vendor needs, the
 * channel's overrides. The client's text passes unchanged where none of that applies.
 * @throws AppError `endpoint.unsupported` when the vendor does not serve this kind of call, `request.malformed` when the body cannot be
 * serialized again; DialectError when the request cannot be translated.
 */
export const prepare = (requested: RequestedCall, choice: Choice, catalog: Catalog): Prepared =>
  finishSteps(prepareInSteps(requested, choice, catalog))

/** Does the same in steps, for requests of any size. */
export function* prepareInSteps(
  requested: RequestedCall,
  choice: Choice,
  { options }: Catalog,
): Generator<undefined, Prepared, undefined> {
  const { channel } = choice
  const { provider } = channel
  const upstreamModel = channel.modelMapping.get(choice.model) ?? choice.model
  const { hasResponses, onlyStreams = channel.setting.stream_only } = requested.lesson ?? noLesson
  const described = descriptionOf(provider, requested, {
    model: upstreamModel,
    key: choice.key.value,
    other: channel.other,
    body: requested.body.json,
    dialect: requested.dialect,
    hasResponses,
  })
  if (!described) throw new AppError('endpoint.unsupported', { params: { model: choice.model } })
  const description = onlyStreams === true && !requested.isStream ? forceStreaming(described) : described
  const isGathered = description !== described
  const target: Target = {
    baseUrl: channel.baseUrl,
    key: choice.key.value,
    model: upstreamModel,
    mode: requested.mode,
    stream: requested.isStream || isGathered,
    path: requested.path,
    other: channel.other,
    organization: channel.organization,
    site: { name: options.SystemName, url: options.ServerAddress },
    setting: channel.setting,
    dialectHeaders: requested.dialect === description.dialect ? dialectHeaders(requested) : undefined,
  }
  const compaction = requested.isCompaction && !isGathered ? compactionOf(requested, description) : null
  const written = yield* writeBodyInSteps(
    compaction ?? requested,
    channel,
    description,
    target,
    options['global.pass_through_request_enabled'],
  )
  const without = (written.isUntouched ? undefined : requested.lesson?.without) ?? noParts
  const betas: string[] = without.length === 0 ? noNames : []
  const headers = rewrittenHeaders(
    headersOf(description, target, choice, written, requested.headers),
    rewritesFor(channel, upstreamModel),
    requested.headers,
  )
  const url = compaction ? addressBelow(description.url(target), 'compact') : description.url(target)
  const request = {
    url: written.parameters ? withParameters(url, written.parameters) : url,
    headers: without.length === 0 ? headers : headersWithoutParts(headers, without, (what) => void betas.push(what)),
    body: written.body,
    proxy: channel.setting.proxy || undefined,
    messages: description.createMessageReader?.(target),
  }
  const signing = provider.authorize && signingOf(provider, { ...request, body: textOf(request.body) }, target)
  return {
    request,
    authorize: signing?.authorize,
    renew: signing?.renew,
    description,
    isGathered,
    isCompaction: compaction !== null,
    isUntouched: written.isUntouched === true,
    without,
    serviceTier: written.serviceTier,
    translated: written.translated,
    upstreamModel,
    isModelMapped: upstreamModel !== choice.model,
    reasoningEffort: written.reasoningEffort,
    leftOut: betas.length === 0 ? written.leftOut : [...(written.leftOut ?? []), ...betas],
    systemPrompt: written.systemPrompt || undefined,
    returnedHeaders: choice.ownLogin && provider.ownLogin?.returned,
  }
}

/** Returns the request to compact in place of that for a summary; null where the vendor has no such call. */
function compactionOf({ lesson, ...requested }: RequestedCall, { dialect }: ModeDescription): RequestedCall | null {
  if (dialect !== 'openai-responses' || lesson?.hasCompaction === false) return null
  const { store: _, tools: _tools, tool_choice: _choice, input, ...members } = requested.body.json
  const items = Array.isArray(input) ? input.slice(0, -1) : []
  const json = items.length === 0 ? members : { ...members, input: items }
  return { ...requested, lesson, maxTokens: null, body: { ...requested.body, ...bodyOf(json) } }
}

const noLesson: Lesson = {}
const noParts: readonly RefusedPart[] = []
/** Never added to. */
const noNames: string[] = []

/** Returns whether the response may be audio or plain text. */
const isRaw = ({ mode }: Target): boolean => mode === 'speech' || mode === 'transcription' || mode === 'translation'

/** Vendors that sign bodies take no forms. */
const textOf = (body: RequestBody): string => (typeof body === 'string' ? body : '')

function dialectHeaders({ dialect, headers }: RequestedCall): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of dialects[dialect].headers ?? []) {
    const value = headers?.get(name)
    if (value) found[name] = value
  }
  return found
}

/**
 * None of the client's headers go upstream, neither its key nor its address, unless a rewrite of the channel passes them on, or the client's
 * own login needs them.
 */
const headersOf = (
  description: ModeDescription,
  target: Target,
  { channel: { provider }, ownLogin }: Choice,
  { contentType }: WrittenBody,
  client: Headers | undefined,
): Record<string, string> => {
  const headers: Record<string, string> = {
    'content-type': contentType,
    accept: target.stream ? 'text/event-stream' : isRaw(target) ? '*/*' : 'application/json',
    // Compressed events would be held back in the compressor's buffer.
    'accept-encoding': target.stream || isRaw(target) ? 'identity' : 'gzip, deflate',
    'user-agent': 'Tollgate',
  }
  Object.assign(headers, ownLogin ? loginOf(ownLogin) : provider.auth(target), description.headers?.(target))
  if (ownLogin && provider.ownLogin && client) Object.assign(headers, loginHeaders(provider.ownLogin, client))
  return headers
}

const loginOf = ({ header, value }: OwnLogin): Record<string, string> => ({
  [header]: header === 'authorization' ? `Bearer ${value}` : value,
})
