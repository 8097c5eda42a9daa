import { isObject, type JsonObject } from '@tollgate/dialects'

import type { ShapedBody, Target } from './provider'
import { refusing, renamed, withMember } from './shape'

/** A vendor may write its name before the model's, as `openai/o3`. */
const oSeries = /^(?:[\w-]+\/)?o\d/
const gpt5 = /^(?:[\w-]+\/)?gpt-5(?![\w.]*-chat)/
/** These two came before the developer role. */
const withoutDeveloperRole = /^(?:[\w-]+\/)?o1-(?:mini|preview)/
const effortSuffix = /-(high|medium|low|minimal|none|xhigh)$/

/**
 * OpenAI's rules for reasoning models (https://platform.openai.com/docs/guides/reasoning): an effort in the model's name
 * becomes `reasoning_effort`, the limit is `max_completion_tokens`, sampling cannot be set, the system speaks as developer.
 */
export function shapeReasoning(body: JsonObject, target: Pick<Target, 'model'>): ShapedBody {
  const isOSeries = oSeries.test(target.model)
  if (!isOSeries && !gpt5.test(target.model)) return { body }
  const { model, effort } = splitEffort(target.model)
  const leftOut: string[] = []
  const refused = isOSeries ? ['temperature'] : ['temperature', 'top_p', 'logprobs', 'top_logprobs']
  let shaped = renamed(body, 'max_tokens', 'max_completion_tokens')
  shaped = refusing(shaped, refused, (name) => void leftOut.push(name))
  if (effort !== undefined) shaped = withMember(withMember(shaped, 'model', model), 'reasoning_effort', effort)
  if (isOSeries && !withoutDeveloperRole.test(model)) shaped = withDeveloper(shaped)
  return {
    body: shaped,
    ...(effort !== undefined && { reasoningEffort: effort }),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

/** The effort in a model's name, as Responses say it. https://platform.openai.com/docs/api-reference/responses */
export function shapeResponses(body: JsonObject, target: Pick<Target, 'model'>): ShapedBody {
  const { model, effort } = splitEffort(target.model)
  if (effort === undefined) return { body }
  return { body: withReasoning(withMember(body, 'model', model), effort), reasoningEffort: effort }
}

/** The body of Responses with this effort. */
export const withReasoning = (body: JsonObject, effort: string): JsonObject =>
  withMember(body, 'reasoning', { ...(isObject(body['reasoning']) ? body['reasoning'] : {}), effort })

/** A reasoning model's name without the effort at its end; other names as they are. */
export function splitEffort(name: string): { readonly model: string; readonly effort?: string } {
  const match = oSeries.test(name) || gpt5.test(name) ? effortSuffix.exec(name) : null
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
