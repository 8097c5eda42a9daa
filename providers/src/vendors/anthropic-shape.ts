import { claudeTraits, isObject, type JsonObject } from '@tollgate/dialects'

import type { ShapedBody, Target } from '../provider'
import { withoutForeignSearches } from './foreign-searches'
import { type Change, refusing, withMember, withoutMembers } from '../shape'

const thinkingSuffix = /-thinking$/
const effortSuffix = /-(low|medium|high|xhigh|max)$/
/** The least limit that leaves room for a thought of the least length. */
const minMaxTokens = 1280
/** The part of the limit that thinking may take. */
const budgetShare = 0.8

const sampling = ['temperature', 'top_p', 'top_k'] as const

/** A model's name without what its end asks for. */
export interface NamedThinking {
  readonly model: string
  readonly isThinking: boolean
  readonly effort?: string
}

/** `-thinking` has a model think, `-low` to `-max` say how hard, where the model knows efforts. */
export function splitThinking(name: string): NamedThinking {
  if (thinkingSuffix.test(name)) return { model: name.replace(thinkingSuffix, ''), isThinking: true }
  const match = effortSuffix.exec(name)
  if (match?.[1] === undefined || !choosesItself(name)) return { model: name, isThinking: false }
  return { model: name.slice(0, match.index), isThinking: true, effort: match[1] }
}

/** What the end of a model's name asks for. What the client itself says of thinking wins. */
export function shapeAnthropic(body: JsonObject, target: Pick<Target, 'model'>): ShapedBody {
  const { model, isThinking, effort } = splitThinking(target.model)
  if (!isThinking) return { body }
  const named = withMember(body, 'model', model)
  if (effort === undefined) return { body: isFree(named) ? thinking(named) : named }
  const config = { ...(isObject(body['output_config']) ? body['output_config'] : {}), effort }
  const requested = withMember(named, 'output_config', config)
  return { body: isFree(requested) ? thinking(requested) : requested, reasoningEffort: effort }
}

/** The model decides how much to think. */
function choosesItself(model: string): boolean {
  const { thinking: kind } = claudeTraits(model)
  return kind === 'adaptive' || kind === 'both'
}

/** The client says nothing of thinking, and forces no tool, which excludes it. */
function isFree({ thinking: requested, tool_choice: choice }: JsonObject): boolean {
  if (isObject(requested)) return false
  return !isObject(choice) || (choice['type'] !== 'any' && choice['type'] !== 'tool')
}

/** https://platform.claude.com/docs/en/build-with-claude/extended-thinking; it takes no sampling of the client's own. */
function thinking(body: JsonObject): JsonObject {
  if (choosesItself(String(body['model']))) {
    const adaptive = { type: 'adaptive', display: 'summarized' }
    return { ...withoutMembers(body, ...sampling), thinking: adaptive }
  }
  if (goesOnUnthought(body['messages'])) return body
  const requested = body['max_tokens']
  const limit = Math.max(typeof requested === 'number' ? requested : 0, minMaxTokens)
  return {
    ...withoutMembers(body, ...sampling),
    max_tokens: limit,
    thinking: { type: 'enabled', budget_tokens: Math.floor(limit * budgetShare) },
  }
}

/** A turn that goes on after its tools ran must have begun with a thought, if there is to be any. */
function goesOnUnthought(messages: unknown): boolean {
  if (!Array.isArray(messages)) return false
  const results = typesIn(messages.at(-1))
  const answer = typesIn(messages.at(-2))
  return results.includes('tool_result') && !String(answer[0]).endsWith('thinking')
}

function typesIn(message: unknown): readonly unknown[] {
  const content = isObject(message) ? message['content'] : undefined
  return Array.isArray(content) ? content.map((block: unknown) => (isObject(block) ? block['type'] : undefined)) : []
}

/** For models and versions of the API that draw tokens as they will. */
export const withoutSampling: Change = (body, _target, warn) => refusing(body, sampling, warn)

/** Says what the model refuses as it takes it, or leaves it out. https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5 */
export const withinClaude: Change = (body, target, warn) => {
  const traits = claudeTraits(splitThinking(target.model).model)
  const sampled = traits.refusesSampling ? withoutSampling(body, target, warn) : body
  const thought = withTakenThinking(sampled, traits, warn)
  const proven = withoutForeignSearches(thought, target, warn)
  return traits.refusesForcedTool ? withFreeTools(proven, warn) : proven
}

function withTakenThinking(
  body: JsonObject,
  { thinking: kind, alwaysThinks }: ReturnType<typeof claudeTraits>,
  warn: (what: string) => void,
): JsonObject {
  const { thinking } = body
  if (!isObject(thinking)) return body
  if (thinking['type'] === 'disabled' && alwaysThinks) {
    warn('that nothing is thought, which the model always does')
    return withoutMembers(body, 'thinking')
  }
  if (thinking['type'] !== 'enabled' || kind !== 'adaptive') return body
  warn('thinking.budget_tokens')
  return withMember(body, 'thinking', { type: 'adaptive', display: thinking['display'] ?? 'summarized' })
}

function withFreeTools(body: JsonObject, warn: (what: string) => void): JsonObject {
  const { tool_choice: choice } = body
  if (!isObject(choice) || (choice['type'] !== 'any' && choice['type'] !== 'tool')) return body
  warn('that a tool must be called, which the model refuses')
  return withMember(body, 'tool_choice', { ...withoutMembers(choice, 'name'), type: 'auto' })
}
