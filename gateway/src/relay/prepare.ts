import { isObject, type JsonObject, type Mode } from '@tollgate/dialects'
import type { ModeDescription, Target } from '@tollgate/providers'

import { AppError } from '../app-error'
import type { Catalog, Channel } from '../catalog/catalog'
import type { Choice } from '../routing/plan'
import type { ParsedBody } from './read-body'
import { withAddedMember, withModel } from './upstream-body'
import type { UpstreamRequest } from './upstream-call'

/** What is asked for, whoever serves it. */
export interface Asked {
  readonly mode: Mode
  readonly isStream: boolean
  readonly body: ParsedBody
  /** The client's path with its query. */
  readonly path: string
}

/** One attempt, ready to be sent. */
export interface Prepared {
  readonly request: UpstreamRequest
  readonly description: ModeDescription
  /** As the upstream names it. */
  readonly upstreamModel: string
  readonly isModelMapped: boolean
  readonly reasoningEffort?: string
  /** The channel's own, when it was put into the request. */
  readonly systemPrompt?: string
}

/**
 * Write the request of one attempt: model mapping, the channel's system prompt, what the vendor needs, the channel's overrides.
 * The client's text goes through untouched where nothing of that applies.
 * @throws AppError `endpoint.unsupported` when the vendor does not serve this mode, `request.malformed` when the body cannot be written again.
 */
export function prepare(asked: Asked, choice: Choice, { options }: Catalog): Prepared {
  const { channel } = choice
  const description = channel.provider.modes[asked.mode]
  if (!description) throw new AppError('endpoint.unsupported', { params: { model: choice.model } })
  const upstreamModel = channel.modelMapping.get(choice.model) ?? choice.model
  const target: Target = {
    baseUrl: channel.baseUrl,
    key: choice.key.value,
    model: upstreamModel,
    mode: asked.mode,
    stream: asked.isStream,
    path: asked.path,
    other: channel.other,
    organization: channel.organization,
    site: { name: options.SystemName, url: options.ServerAddress },
    setting: channel.setting,
  }
  const isAsWritten =
    options['global.pass_through_request_enabled'] || channel.setting.pass_through_body_enabled === true
  const changed = isAsWritten
    ? { body: named(asked.body.json, upstreamModel) }
    : changedBody(named(asked.body.json, upstreamModel), asked, channel, description, target)
  return {
    request: {
      url: description.url(target),
      headers: headersOf(description, target, channel),
      body: textOf(asked.body, changed.body),
      proxy: channel.setting.proxy || undefined,
    },
    description,
    upstreamModel,
    isModelMapped: upstreamModel !== choice.model,
    ...(changed.reasoningEffort && { reasoningEffort: changed.reasoningEffort }),
    ...(changed.systemPrompt && { systemPrompt: changed.systemPrompt }),
  }
}

/** Nothing of the client's headers goes upstream: neither its key nor where it calls from. */
const headersOf = (description: ModeDescription, target: Target, channel: Channel): Record<string, string> => ({
  'content-type': 'application/json',
  accept: target.stream ? 'text/event-stream' : 'application/json',
  // Packed events would wait for one another in the packer.
  'accept-encoding': target.stream ? 'identity' : 'gzip, deflate',
  'user-agent': 'Tollgate',
  ...channel.provider.auth(target),
  ...description.headers?.(target),
})

const named = (body: JsonObject, model: string): JsonObject => (body['model'] === model ? body : { ...body, model })

interface ChangedBody {
  readonly body: JsonObject
  readonly reasoningEffort?: string
  readonly systemPrompt?: string
}

function changedBody(
  body: JsonObject,
  asked: Asked,
  channel: Channel,
  description: ModeDescription,
  target: Target,
): ChangedBody {
  const prompted = asked.mode === 'chat' && channel.systemPrompt !== '' ? withSystemPrompt(body, channel) : body
  const counted = asked.isStream ? withUsageAsked(prompted, description.acceptsStreamOptions) : prompted
  const shaped = description.shape?.(counted, target) ?? { body: counted }
  return {
    body: channel.paramOverride ? { ...shaped.body, ...channel.paramOverride } : shaped.body,
    ...(shaped.reasoningEffort && { reasoningEffort: shaped.reasoningEffort }),
    ...(prompted !== body && { systemPrompt: channel.systemPrompt }),
  }
}

/** The upstream is asked for its usage whether the client wants to see it or not. */
function withUsageAsked(body: JsonObject, isAccepted: boolean): JsonObject {
  const options = body['stream_options']
  if (!isAccepted) {
    if (!('stream_options' in body)) return body
    const { stream_options: _, ...rest } = body
    return rest
  }
  if (isObject(options) && options['include_usage'] === true) return body
  return { ...body, stream_options: { ...(isObject(options) ? options : {}), include_usage: true } }
}

const isSystem = (message: unknown): message is JsonObject =>
  isObject(message) && (message['role'] === 'system' || message['role'] === 'developer')

/** Put the channel's prompt first when the client has none, or before the client's when the channel says so. */
function withSystemPrompt(body: JsonObject, { systemPrompt, setting }: Channel): JsonObject {
  const messages = body['messages']
  if (!Array.isArray(messages)) return body
  const place = messages.findIndex(isSystem)
  if (place < 0) return { ...body, messages: [{ role: 'system', content: systemPrompt }, ...messages] }
  if (setting.system_prompt_override !== true) return body
  const own: unknown = messages[place]
  if (!isObject(own)) return body
  return { ...body, messages: messages.with(place, { ...own, content: prepended(systemPrompt, own['content']) }) }
}

const prepended = (prompt: string, content: unknown): unknown =>
  Array.isArray(content) ? [{ type: 'text', text: prompt }, ...content] : `${prompt}\n${String(content ?? '')}`

/** The text of a body, as much of it as possible in the client's own writing. */
function textOf(original: ParsedBody, body: JsonObject): string {
  if (original.mayRepeatMembers) return written(body)
  if (body === original.json) return original.text
  return spliced(original, body) ?? written(body)
}

/** The client's text with another model and the added question for usage; null when more changed. */
function spliced({ text, json }: ParsedBody, body: JsonObject): string | null {
  const names = Object.keys(body)
  const changed = names.filter((name) => body[name] !== json[name])
  if (names.length - Number('stream_options' in body && !('stream_options' in json)) !== Object.keys(json).length)
    return null
  let result: string | null = text
  for (const name of changed) {
    if (name === 'model' && typeof json['model'] === 'string')
      result = withModel(result, json['model'], String(body['model']))
    else if (name === 'stream_options' && !(name in json)) result = withAddedMember(result, name, body[name])
    else return null
    if (result === null) return null
  }
  return result
}

function written(body: JsonObject): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    // Deeper than the stack allows.
    throw new AppError('request.malformed', { cause })
  }
}
