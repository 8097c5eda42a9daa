import {
  dialects,
  withModel,
  withoutStreamOptions,
  withParamOverride,
  withStreamUsage,
  type JsonObject,
  type Mode,
} from '@tollgate/dialects'
import type { ModeDescription, Target } from '@tollgate/providers'

import { AppError } from '../app-error'
import type { Catalog, Channel } from '../catalog/catalog'
import type { Choice } from '../routing/plan'
import type { ParsedBody } from './read-body'
import { withAddedMember, withOtherModel } from './upstream-body'
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
    ? { body: withModel(asked.body.json, upstreamModel) }
    : changedBody(withModel(asked.body.json, upstreamModel), asked, channel, description, target)
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
  const { systemPrompt, setting, paramOverride } = channel
  const prompted =
    dialects[description.dialect].withSystemPrompt?.(body, systemPrompt, setting.system_prompt_override === true) ??
    body
  const counted = asked.isStream ? withUsageAsked(prompted, description) : prompted
  const shaped = description.shape?.(counted, target) ?? { body: counted }
  return {
    body: withParamOverride(shaped.body, paramOverride),
    ...(shaped.reasoningEffort && { reasoningEffort: shaped.reasoningEffort }),
    ...(prompted !== body && { systemPrompt }),
  }
}

/** The upstream is asked for its usage whether the client wants to see it or not. */
const withUsageAsked = (body: JsonObject, { acceptsStreamOptions }: ModeDescription): JsonObject =>
  acceptsStreamOptions ? withStreamUsage(body) : withoutStreamOptions(body)

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
      result = withOtherModel(result, json['model'], String(body['model']))
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
