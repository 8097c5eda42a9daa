import type { Thinking } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { effortOf } from '../../../core/neutral/thinking'
import { nearestEffort, type ChatTraits } from '../models'

/** The most that vendors know whose efforts are not listed. */
const maxKnown = 'xhigh'

/** The effort, in one of the words that the model takes. */
export function writeThinking(thinking: Thinking | null, traits: ChatTraits, warn: Warn): string | undefined {
  if (thinking === null) return undefined
  const effort = effortOf(thinking)
  if (thinking.effort === null && thinking.isEnabled && (thinking.budgetTokens ?? -1) > 0)
    warn('the number of thinking tokens, which is said as an effort')
  if (traits.efforts === null) {
    // Which word switches it off differs by vendor, and a wrong one is refused.
    if (thinking.effort !== null || thinking.isEnabled) return effort === 'max' ? maxKnown : (effort ?? undefined)
    warn('that nothing is thought')
    return undefined
  }
  const nearest = effort && nearestEffort(effort, traits.efforts)
  if (traits.efforts.length === 0 && effort !== 'none') warn('thinking, which the model does not do')
  return nearest ?? undefined
}
