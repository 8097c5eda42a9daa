import { chatTraits, efforts, isObject, type JsonObject } from '@tollgate/dialects'

import type { ShapedBody, Target } from './provider'
import { refusing, renameMember, withMember } from './shape'

/** A vendor may write its name before the model's, as `openai/o3`. */
const oSeries = /^(?:[\w-]+\/)?o\d/
const gpt5 = /^(?:[\w-]+\/)?gpt-(?:[5-9]|1\d)(?!\d|[\w.]*-chat)/
/** These two came before the developer role. */
const withoutDeveloperRole = /^(?:[\w-]+\/)?o1-(?:mini|preview)/
const effortSuffix = /-(high|medium|low|minimal|none|xhigh|(?<!codex-)max)$/
/** From here on a model thinks where the request does not say. */
export const thinksByDefaultFrom = 505

/** `gpt-5.4` is 504; 0 for models of other families. */
export function versionOf(model: string): number {
  const [, major = '0', minor = '0'] = /^(?:[\w-]+\/)?gpt-(\d{1,2})(?:\.(\d{1,2}))?(?:-|$)/.exec(model) ?? []
  return Number(major) * 100 + Number(minor)
}

/** The least effort that a model of OpenAI is known to take. */
const minEffort = (model: string): string | undefined => chatTraits(model.replace(/^[\w-]+\//, '')).efforts?.[0]

/** Returns whether a model's thinking cannot be switched off. */
export const alwaysThinks = (model: string): boolean => isThinker(minEffort(model))
const isThinker = (min = 'none'): boolean => min !== 'none'

const rankOf = (effort: unknown): number => efforts.findIndex((known) => known === effort)

/** What is asked of a model: the effort, raised to the least that it takes, and whether it thinks. */
function resolveReasoning(model: string, suffix: string | undefined, bodyEffort: unknown, leftOut: string[]) {
  const requested = suffix ?? bodyEffort
  const min = minEffort(model)
  const isTooLittle = rankOf(requested) >= 0 && rankOf(requested) < rankOf(min)
  if (isTooLittle && bodyEffort !== min)
    leftOut.push(`the effort ${String(requested)}, which is raised to ${String(min)}`)
  const effort = isTooLittle ? min : requested
  const isSwitchedOn = typeof effort === 'string' ? effort !== 'none' : versionOf(model) >= thinksByDefaultFrom
  return { effort, isThinking: isThinker(min) || isSwitchedOn }
}

/**
 * OpenAI's rules for reasoning models (https://developers.openai.com/api/docs/guides/reasoning): an effort in the model's name
 * becomes `reasoning_effort`, the limit is `max_completion_tokens`, sampling cannot be set while the model thinks, the system speaks as
 * developer.
 */
export function shapeReasoning(body: JsonObject, target: Pick<Target, 'model'>): ShapedBody {
  if (!isReasoning(target.model)) return { body }
  const isOSeries = oSeries.test(target.model)
  const { model, effort } = splitEffort(target.model)
  const leftOut: string[] = []
  const requested = resolveReasoning(model, effort, body['reasoning_effort'], leftOut)
  let shaped = renameMember(body, 'max_tokens', 'max_completion_tokens')
  if (requested.isThinking)
    shaped = refusing(shaped, isOSeries ? ['temperature'] : sampling, (name) => void leftOut.push(name))
  if (effort !== undefined) shaped = withMember(shaped, 'model', model)
  if (requested.effort !== undefined) shaped = withMember(shaped, 'reasoning_effort', requested.effort)
  if (isOSeries && !withoutDeveloperRole.test(model)) shaped = withDeveloper(shaped)
  return {
    body: shaped,
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

const sampling = ['temperature', 'top_p', 'logprobs', 'top_logprobs'] as const
const sampledResponses = ['temperature', 'top_p', 'top_logprobs'] as const

const isReasoning = (model: string): boolean => oSeries.test(model) || gpt5.test(model)

/** The same as Responses say it. https://developers.openai.com/api/reference/resources/responses */
export function shapeResponses(requestBody: JsonObject, target: Pick<Target, 'model'>): ShapedBody {
  const leftOut: string[] = []
  // The gateway waits for calls in the background itself, and the upstream refuses their options without them.
  const body = refusing(requestBody, ['background_options'], (name) => void leftOut.push(name))
  if (!isReasoning(target.model)) return leftOut.length > 0 ? { body, leftOut } : { body }
  const { model, effort } = splitEffort(target.model)
  const bodyEffort = isObject(body['reasoning']) ? body['reasoning']['effort'] : undefined
  const requested = resolveReasoning(model, effort, bodyEffort, leftOut)
  let shaped = requested.isThinking ? refusing(body, sampledResponses, (name) => void leftOut.push(name)) : body
  if (effort !== undefined) shaped = withMember(shaped, 'model', model)
  if (typeof requested.effort === 'string' && requested.effort !== bodyEffort)
    shaped = withReasoning(shaped, requested.effort)
  return {
    body: shaped,
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

/** The body of Responses with this effort. */
export const withReasoning = (body: JsonObject, effort: string): JsonObject =>
  withMember(body, 'reasoning', { ...(isObject(body['reasoning']) ? body['reasoning'] : {}), effort })

/** A reasoning model's name without the effort at its end; other names as they are. */
export function splitEffort(name: string): { readonly model: string; readonly effort?: string } {
  const match = isReasoning(name) ? effortSuffix.exec(name) : null
  return match?.[1] === undefined ? { model: name } : { model: name.slice(0, match.index), effort: match[1] }
}

/** Every system message, since a call that has both roles is refused. */
function withDeveloper(body: JsonObject): JsonObject {
  const { messages } = body
  if (!Array.isArray(messages) || !messages.some(isSystem)) return body
  const asDeveloper = (message: unknown): unknown => (isSystem(message) ? { ...message, role: 'developer' } : message)
  return withMember(body, 'messages', messages.map(asDeveloper))
}

const isSystem = (message: unknown): message is JsonObject => isObject(message) && message['role'] === 'system'
