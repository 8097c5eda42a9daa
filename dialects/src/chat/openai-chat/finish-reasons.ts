import type { FinishReason } from '../../core/neutral/events'

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
  // Followers pass on the words of the vendors behind them.
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop-sequence'],
  ['max_tokens', 'length'],
  ['model_length', 'context-window'],
  ['model_context_window_exceeded', 'context-window'],
  ['tool_use', 'tool-calls'],
  ['pause_turn', 'pause'],
  ['sensitive', 'content-filter'],
  ['refusal', 'refusal'],
])

/** Some vendors end a turn that calls tools as any other; OpenAI has no separate reason for a refusal in words. */
export function readFinishReason(word: string, output: { readonly calls: number; readonly hasRefused: boolean }) {
  const reason = reasons.get(word) ?? 'other'
  if (output.hasRefused && (reason === 'stop' || reason === 'content-filter')) return 'refusal'
  return reason === 'stop' && output.calls > 0 ? 'tool-calls' : reason
}

/** OpenAI knows four reasons; a choice that called a tool ended for that. */
export function writeFinishReason(reason: FinishReason, hasToolCalls: boolean): string {
  if (reason === 'length' || reason === 'context-window') return 'length'
  if (reason === 'content-filter' || reason === 'refusal') return 'content_filter'
  return reason === 'tool-calls' || hasToolCalls ? 'tool_calls' : 'stop'
}
