import type { JsonObject } from '../../../core/json'
import type { Message, NeutralCall, Part, Thinking } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { objectOf } from '../../../core/neutral/read'
import { budgetOf, effortOf } from '../../../core/neutral/thinking'
import { type ClaudeTraits, takenEffort } from '../models'
import { dialectId } from '../name'

/** How a model shall think, and how long its answer may be. */
export interface WrittenThinking {
  readonly isOn: boolean
  readonly thinking: JsonObject | undefined
  readonly effort: string | undefined
  readonly maxTokens: number
}

const minBudget = 1024
/** The part of a limit that thinking may take where only an effort was asked for. */
const budgetShare = 0.8

/**
 * Thinking as the model takes it. https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 * A forced tool excludes thinking; what was forced is what the client's code relies on.
 */
export function writeThinking(call: NeutralCall, traits: ClaudeTraits, warn: Warn): WrittenThinking {
  const maxTokens = call.sampling.maxTokens ?? traits.defaultMaxTokens
  const off = { isOn: false, thinking: undefined, effort: undefined, maxTokens }
  const requested = call.thinking
  // This dialect's own words go back as they came.
  if (call.own?.dialect === dialectId) return { ...off, isOn: isThinking(call.own.members['thinking']) }
  if (requested === null) return off
  const effort = effortOf(requested)
  if (effort === 'none') return { ...off, ...withoutThinking(traits, warn) }
  const obstacle = obstacleOf(call, traits)
  if (obstacle !== null) {
    warn(obstacle)
    return off
  }
  if (traits.thinking === 'adaptive' || (traits.thinking === 'both' && !isCounted(requested))) {
    return {
      isOn: true,
      thinking: { type: 'adaptive', ...writeDisplay(requested, traits) },
      effort: effort === null ? undefined : takenEffort(effort, traits.efforts),
      maxTokens,
    }
  }
  return { ...off, isOn: true, ...withBudget(call, requested, maxTokens) }
}

function withoutThinking({ thinking, alwaysThinks, unthinking }: ClaudeTraits, warn: Warn): Partial<WrittenThinking> {
  if (alwaysThinks) {
    warn('that nothing is thought, which the model always does')
    return { isOn: true, effort: 'low' }
  }
  return { thinking: thinking === 'none' ? undefined : { type: unthinking } }
}

const isThinking = (thinking: unknown): boolean => {
  const { type } = objectOf(thinking)
  return type === 'enabled' || type === 'adaptive'
}

const isCounted = ({ budgetTokens }: Thinking): boolean => budgetTokens !== null && budgetTokens > 0

function obstacleOf(call: NeutralCall, traits: ClaudeTraits): string | null {
  if (traits.thinking === 'none') return 'thinking, which the model does not do'
  const choice = traits.refusesForcedTool ? undefined : call.toolChoice?.kind
  if (call.tools.length > 0 && (choice === 'required' || choice === 'tool')) return 'thinking beside a forced tool'
  if (traits.thinking === 'adaptive') return null
  return isMidTurnWithoutThought(call) ? 'thinking, since the turn began without a signed thought' : null
}

/** A turn that goes on after its tools ran must have begun with thinking, if there is to be any. */
function isMidTurnWithoutThought({ messages }: NeutralCall): boolean {
  const spoken = messages.filter(({ role, parts }) => (role === 'user' || role === 'assistant') && parts.length > 0)
  const answer = spoken.findLast(({ role }) => role === 'assistant')
  if (!has(spoken.at(-1), 'tool-result') || !has(answer, 'tool-call')) return false
  return answer?.parts.every((part) => part.kind !== 'thinking' || part.signature === undefined) ?? false
}

const has = (message: Message | undefined, kind: Part['kind']): boolean =>
  message?.parts.some((part) => part.kind === kind) ?? false

/** The newest models hide their thoughts unless asked; other dialects' clients expect to see them. */
function writeDisplay({ isShown }: Thinking, { thinking }: ClaudeTraits): JsonObject {
  if (isShown === false) return { display: 'omitted' }
  return thinking === 'adaptive' ? { display: 'summarized' } : {}
}

/**
 * The budget stays below the limit: one that the client counted out raises the limit, one that stands for an effort
 * shrinks to a share of the limit that the client set, if that leaves enough.
 */
function withBudget({ sampling }: NeutralCall, thinking: Thinking, maxTokens: number) {
  const requested = Math.max(tokensOf(thinking), minBudget)
  const share = Math.floor(maxTokens * budgetShare)
  const canShrink = !isCounted(thinking) && sampling.maxTokens !== null && share >= minBudget
  const budget = canShrink ? Math.min(requested, share) : requested
  return {
    thinking: { type: 'enabled', budget_tokens: budget },
    maxTokens: budget < maxTokens ? maxTokens : budget + maxTokens,
  }
}

/** Where neither tokens nor an effort is named, a middling effort is meant. */
function tokensOf(requested: Thinking): number {
  const budgetTokens = isCounted(requested) ? requested.budgetTokens : null
  return budgetOf({ ...requested, budgetTokens, effort: requested.effort ?? 'medium' }) ?? 0
}
