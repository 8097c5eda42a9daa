import type { JsonObject } from '../../core/json'
import type { FinishReason } from '../../core/neutral/events'
import { objectOf, textOf } from '../../core/neutral/read'

/** Why a response ended, and the vendor's word for it. Refusals in words and tool calls have no separate reason here. */
export function readEnd(response: JsonObject, output: { readonly calls: number; readonly hasRefused: boolean }) {
  if (response['status'] === 'incomplete') {
    const rawReason = textOf(objectOf(response['incomplete_details'])['reason']) || 'incomplete'
    const reason: FinishReason =
      rawReason === 'max_output_tokens' ? 'length' : rawReason === 'content_filter' ? 'content-filter' : 'other'
    return { reason, rawReason }
  }
  const reason: FinishReason = output.calls > 0 ? 'tool-calls' : output.hasRefused ? 'refusal' : 'stop'
  return { reason, rawReason: 'completed' }
}

/** The status of a response that ended so; null: in the middle. A refusal that was put into words is an answer. */
export function writeEnd(reason: FinishReason | null, hasRefused: boolean): JsonObject {
  if (reason === null) return { status: 'incomplete', incomplete_details: null }
  if (reason === 'length' || reason === 'context-window')
    return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  if (reason === 'content-filter' || (reason === 'refusal' && !hasRefused))
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
  return { status: 'completed', incomplete_details: null }
}
