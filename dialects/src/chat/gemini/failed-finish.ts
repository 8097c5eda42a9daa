import type { ErrorView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { objectsOf, textOf } from '../../core/neutral/read'
import { failedOutput } from '../../core/shared/reported-failure'
import { member } from '../../core/shared/google-members'

/** Reasons to end by which the model's output was unusable. https://ai.google.dev/api/generate-content#FinishReason */
const reasons = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
]
const failed: ReadonlySet<unknown> = new Set(reasons)

/** Finds such a reason in the text of an event. */
export const failedFinishWord =
  /"(?:MALFORMED_(?:FUNCTION_CALL|RESPONSE)|(?:UNEXPECTED|TOO_MANY)_TOOL_CALLS?|MISSING_THOUGHT_SIGNATURE)"/

/** Returns the failure of a response that ends so; null where it does not. It is a failure where nothing was said before. */
export function failedFinish(response: JsonObject): ErrorView | null {
  for (const candidate of objectsOf(response['candidates'])) {
    const reason = member(candidate, 'finishReason')
    if (!failed.has(reason)) continue
    const message = textOf(member(candidate, 'finishMessage')) || `The model ended with ${textOf(reason)}`
    return { status: 502, message, type: failedOutput, code: textOf(reason), param: null }
  }
  return null
}
