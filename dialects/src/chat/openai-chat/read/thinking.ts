import type { JsonObject } from '../../../core/json'
import type { Thinking } from '../../../core/neutral/call'
import { flagOrNull, numberOrNull, objectOf } from '../../../core/neutral/read'
import { isEffort } from '../../../core/neutral/thinking'

/** OpenAI's effort, OpenRouter's object with an effort or a number of tokens, or a switch as vendors of China have it. */
export function readThinking(body: JsonObject): Thinking | null {
  const requested = objectOf(body['reasoning'])
  const effort = body['reasoning_effort'] ?? requested['effort']
  const budgetTokens = numberOrNull(requested['max_tokens']) ?? readBudget(body)
  const isEnabled = flagOrNull(requested['enabled']) ?? readSwitch(body)
  if (!isEffort(effort) && budgetTokens === null && isEnabled === null) return null
  return {
    isEnabled: isEnabled ?? effort !== 'none',
    effort: isEffort(effort) ? effort : null,
    budgetTokens,
    isShown: requested['exclude'] === true ? false : null,
    summary: null,
  }
}

const readBudget = (body: JsonObject): number | null =>
  numberOrNull(body['thinking_budget']) ?? numberOrNull(objectOf(body['thinking'])['budget_tokens'])

/** `auto` leaves the choice to the model, as silence does. */
function readSwitch(body: JsonObject): boolean | null {
  const { type } = objectOf(body['thinking'])
  if (type === 'enabled' || type === 'disabled') return type === 'enabled'
  return flagOrNull(body['enable_thinking'])
}
