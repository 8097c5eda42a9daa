import type { JsonObject } from '../../../core/json'
import { efforts, type Effort, type NeutralCall, type Thinking } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { budgetOf, effortOf } from '../../../core/neutral/thinking'
import type { GeminiTraits, ThinkingLevel } from '../models'

/** Thinking as the model takes it; undefined when nothing is asked. https://ai.google.dev/gemini-api/docs/thinking */
export function writeThinking({ thinking }: NeutralCall, traits: GeminiTraits, warn: Warn): JsonObject | undefined {
  if (thinking === null) return undefined
  const effort = effortOf(thinking)
  if (traits.thinking === 'none') {
    if (effort !== 'none') warn('thinking, which the model does not do')
    return undefined
  }
  const amount = traits.thinking === 'level' ? levelOf(effort, traits, warn) : tokensOf(thinking, effort, traits, warn)
  return { ...amount, ...(effort !== 'none' && { includeThoughts: thinking.isShown !== false }) }
}

function levelOf(effort: Effort | null, { levels }: GeminiTraits, warn: Warn): JsonObject {
  if (effort === null) return {}
  if (effort === 'none') warn('an answer without thinking')
  return { thinkingLevel: nearest(effort, levels) }
}

/** The least level that is as much as was asked, or the most there is. */
function nearest(effort: Effort, levels: readonly ThinkingLevel[]): ThinkingLevel | undefined {
  const wanted = efforts.indexOf(effort)
  return levels.find((level) => efforts.indexOf(level) >= wanted) ?? levels.at(-1)
}

function tokensOf(thinking: Thinking, effort: Effort | null, { budget }: GeminiTraits, warn: Warn): JsonObject {
  if (effort === 'none') {
    if (!budget.canStop) warn('an answer without thinking')
    return { thinkingBudget: budget.canStop ? 0 : budget.least }
  }
  const tokens = budgetOf(thinking)
  if (tokens === null) return {}
  return { thinkingBudget: tokens < 0 ? -1 : Math.min(Math.max(tokens, budget.least), budget.most) }
}
