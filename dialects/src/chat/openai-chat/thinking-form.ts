import type { JsonObject } from '../../core/json'
import type { Effort, Thinking } from '../../core/neutral/call'
import type { Warn } from '../../core/neutral/codec'
import { budgetOf, effortOf } from '../../core/neutral/thinking'
import { readThinking } from './read/call'

/** How a vendor's chat completions are told whether to think and how much, in addition to or in place of OpenAI's `reasoning_effort`. */
export interface ThinkingForm {
  /**
   * `enable_thinking` is a boolean, `thinking` is `{ "type": "enabled" }` or `"disabled"`, `reasoning` is OpenRouter's object. Null: the
   * model always thinks.
   */
  readonly switch: 'enable_thinking' | 'thinking' | 'reasoning' | null
  /** The type of `thinking` that switches it on. Absent: `enabled`. */
  readonly on?: 'enabled' | 'adaptive'
  /** Limits of `thinking_budget`. Absent: tokens cannot be said. */
  readonly budget?: { readonly min: number; readonly max: number }
  /** The vendor's words for `reasoning_effort`. Absent: it is not sent. */
  readonly efforts?: Readonly<Record<Exclude<Effort, 'none'>, string>>
}

/** The form for a model; null where it is not known to have one, so that `reasoning_effort` is sent as it is. */
export type ThinkingForms = (model: string) => ThinkingForm | null

const clientNames = ['reasoning_effort', 'reasoning', 'enable_thinking', 'thinking_budget', 'thinking'] as const

/** Returns a client's chat request with what it says of thinking in the vendor's form; the same object where it is already. */
export function withThinkingForm(body: JsonObject, form: ThinkingForm | null, warn: Warn): JsonObject {
  if (form === null || (form.switch !== null && form.switch in body)) return body
  const thinking = readThinking(body)
  if (thinking === null) return body
  const members = thinkingMembers(thinking, form, warn)
  const presentNames = clientNames.filter((name) => name in body)
  if (presentNames.every((name) => body[name] === members[name]) && Object.keys(members).every((name) => name in body))
    return body
  const rest = Object.entries(body).filter(([name]) => !presentNames.some((other) => other === name))
  return { ...Object.fromEntries(rest), ...members }
}

/** Returns the members that tell a vendor of this form. */
export function thinkingMembers(thinking: Thinking, form: ThinkingForm, warn: Warn): JsonObject {
  const effort = effortOf(thinking)
  const isOn = effort !== 'none'
  if (form.switch === 'reasoning') return { reasoning: openRouterReasoning(thinking) }
  if (form.switch === null && !isOn) {
    warn('that nothing is thought, which the model always does')
    return {}
  }
  return {
    ...switchMember(form, isOn),
    ...(isOn && budgetMember(thinking, form, warn)),
    ...(isOn && effort !== null && form.efforts && { reasoning_effort: form.efforts[effort] }),
  }
}

const switchMember = ({ switch: name, on = 'enabled' }: ThinkingForm, isOn: boolean): JsonObject =>
  name === 'enable_thinking'
    ? { enable_thinking: isOn }
    : name === 'thinking'
      ? { thinking: { type: isOn ? on : 'disabled' } }
      : {}

function budgetMember(thinking: Thinking, { budget, efforts }: ThinkingForm, warn: Warn): JsonObject {
  const tokens = budgetOf(thinking)
  if (tokens === null || tokens <= 0) return {}
  if (budget) return { thinking_budget: Math.min(Math.max(tokens, budget.min), budget.max) }
  if (thinking.budgetTokens !== null)
    warn(efforts ? 'the number of thinking tokens, which is said as an effort' : 'the number of thinking tokens')
  else if (!efforts) warn('the effort of thinking')
  return {}
}

/** https://openrouter.ai/docs/use-cases/reasoning-tokens; an effort and a number of tokens exclude each other. */
function openRouterReasoning({ isEnabled, effort, budgetTokens, isShown }: Thinking): JsonObject {
  const isOn = isEnabled && effort !== 'none'
  if (!isOn) return { enabled: false }
  return {
    enabled: true,
    ...(effort !== null ? { effort } : budgetTokens !== null && budgetTokens > 0 && { max_tokens: budgetTokens }),
    ...(isShown === false && { exclude: true }),
  }
}
