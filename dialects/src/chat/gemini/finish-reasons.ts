import type { FinishReason } from '../../core/neutral/events'
import type { ErrorView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { objectsOf, textOf } from '../../core/neutral/read'
import { failedOutput } from '../../core/shared/reported-failure'
import { member } from '../../core/shared/google-members'

/** https://ai.google.dev/api/generate-content#FinishReason. */
const byWord: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['LANGUAGE', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  ['MODEL_ARMOR', 'content-filter'],
  ['ESCALATION', 'content-filter'],
  ['OTHER', 'other'],
  ['NO_IMAGE', 'other'],
  ['IMAGE_OTHER', 'other'],
  ['MALFORMED_FUNCTION_CALL', 'other'],
  ['UNEXPECTED_TOOL_CALL', 'other'],
  ['TOO_MANY_TOOL_CALLS', 'other'],
  ['MISSING_THOUGHT_SIGNATURE', 'other'],
  ['MALFORMED_RESPONSE', 'other'],
  ['PUP_LIMITED_DISABLED', 'other'],
  ['CONTINUATION', 'pause'],
])

const byReason: ReadonlyMap<FinishReason, string> = new Map([
  ['stop', 'STOP'],
  ['stop-sequence', 'STOP'],
  ['tool-calls', 'STOP'],
  ['pause', 'STOP'],
  ['length', 'MAX_TOKENS'],
  ['context-window', 'MAX_TOKENS'],
  ['content-filter', 'SAFETY'],
  ['refusal', 'SAFETY'],
])

/** A turn that calls functions ends as any other here. */
export function readFinishReason(word: string, hasToolCalls: boolean): FinishReason {
  const reason = byWord.get(word) ?? 'other'
  return reason === 'stop' && hasToolCalls ? 'tool-calls' : reason
}

/** Whether the prompt was refused: nothing is generated then. */
export const isBlocked = (word: unknown): word is string =>
  typeof word === 'string' && word !== '' && word !== 'BLOCKED_REASON_UNSPECIFIED'

export const isFinished = (word: unknown): word is string =>
  typeof word === 'string' && word !== '' && word !== 'FINISH_REASON_UNSPECIFIED'

/** The dialect's own word where the reason came in it. */
export function writeFinishReason(reason: FinishReason, rawReason: string, hasToolCalls: boolean): string {
  if (byWord.get(rawReason) === reason) return rawReason
  return byReason.get(reason) ?? (hasToolCalls ? 'STOP' : 'OTHER')
}

/** Reasons to end by which the model's output was unusable, or its account is no longer served. https://ai.google.dev/api/generate-content#FinishReason */
const reasons = [
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'MALFORMED_RESPONSE',
  'PUP_LIMITED_DISABLED',
]
const failed: ReadonlySet<unknown> = new Set(reasons)

/** Finds such a reason in the text of an event. */
export const failedFinishWord =
  /"(?:MALFORMED_(?:FUNCTION_CALL|RESPONSE)|(?:UNEXPECTED|TOO_MANY)_TOOL_CALLS?|MISSING_THOUGHT_SIGNATURE|PUP_LIMITED_DISABLED)"/

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
