import type { FinishReason } from '../../core/neutral/events'

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
  ['OTHER', 'other'],
  ['NO_IMAGE', 'other'],
  ['IMAGE_OTHER', 'other'],
  ['MALFORMED_FUNCTION_CALL', 'other'],
  ['UNEXPECTED_TOOL_CALL', 'other'],
  ['TOO_MANY_TOOL_CALLS', 'other'],
  ['MISSING_THOUGHT_SIGNATURE', 'other'],
  ['MALFORMED_RESPONSE', 'other'],
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
