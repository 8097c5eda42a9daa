import { claudeTraits, isEffort, isObject, type JsonObject, takenEffort, withoutTurnSettings } from '@tollgate/dialects'

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

type Traits = ReturnType<typeof claudeTraits>
type Warn = (what: string) => void

/** Says what the model refuses as it takes it, or leaves it out. https://platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting */
export const withinClaude: Change = (body, target, warn) => {
  const { model } = splitThinking(target.model)
  const traits = claudeTraits(model)
  const sampled = traits.refusesSampling ? withoutSampling(body, target, warn) : body
  const settled = traits.takesTurnEfforts || !isClaude.test(model) ? sampled : withoutTurnSettings(sampled)
  const worked = withTakenEffort(settled, traits, warn)
  const thought = withTakenThinking(worked, traits, warn)
  const proven = withoutForeignSearches(thought, target, warn)
  return traits.refusesForcedTool ? withFreeTools(proven, warn) : proven
}

/** Other makers may know settings that none of its models has. */
const isClaude = /claude-/

function withTakenEffort(body: JsonObject, { efforts }: Traits, warn: Warn): JsonObject {
  const config = body['output_config']
  if (!isObject(config) || !isEffort(config['effort'])) return body
  const taken = takenEffort(config['effort'], efforts)
  if (taken === config['effort']) return body
  if (taken !== undefined) {
    warn(`the effort ${config['effort']}, which is ${taken}`)
    return withEffort(body, taken)
  }
  warn('output_config.effort')
  const others = withoutMembers(config, 'effort')
  return Object.keys(others).length > 0
    ? withMember(body, 'output_config', others)
    : withoutMembers(body, 'output_config')
}

const withEffort = (body: JsonObject, effort: string): JsonObject =>
  withMember(body, 'output_config', { ...(isObject(body['output_config']) && body['output_config']), effort })

function withTakenThinking(body: JsonObject, traits: Traits, warn: Warn): JsonObject {
  const { thinking } = body
  if (!isObject(thinking)) return body
  const { type } = thinking
  if (type === 'disabled' || type === 'between_tools') return withoutThinking(body, type, traits, warn)
  if (type === 'adaptive' && !traits.takesAdaptive) return withCountedThinking(body, traits, warn)
  if (type !== 'enabled' || traits.thinking !== 'adaptive') return body
  warn('thinking.budget_tokens')
  return withMember(body, 'thinking', { type: 'adaptive', display: thinking['display'] ?? 'summarized' })
}

function withoutThinking(body: JsonObject, requested: string, traits: Traits, warn: Warn): JsonObject {
  const { alwaysThinks, unthinking, thinksAboveHigh } = traits
  if (alwaysThinks) {
    warn('that nothing is thought, which the model always does')
    return withoutMembers(body, 'thinking')
  }
  if (requested !== unthinking) warn(`thinking.type ${requested}, which is ${unthinking}`)
  const named = requested === unthinking ? body : withMember(body, 'thinking', { type: unthinking })
  const effort = isObject(body['output_config']) && body['output_config']['effort']
  if (!thinksAboveHigh || (effort !== 'xhigh' && effort !== 'max')) return named
  warn(`the effort ${effort}, which is high where nothing is thought`)
  return withEffort(named, 'high')
}

/** For models that are told a number of tokens, or do not think. */
function withCountedThinking(body: JsonObject, { thinking: kind }: Traits, warn: Warn): JsonObject {
  const free = withoutMembers(body, 'thinking')
  const counted = kind === 'budget' && isFree(free) ? thinking(free) : free
  if (counted === free) warn('thinking')
  return counted
}

function withFreeTools(body: JsonObject, warn: Warn): JsonObject {
  const { tool_choice: choice } = body
  if (!isObject(choice) || (choice['type'] !== 'any' && choice['type'] !== 'tool')) return body
  warn('that a tool must be called, which the model refuses')
  return withMember(body, 'tool_choice', { ...withoutMembers(choice, 'name'), type: 'auto' })
}
