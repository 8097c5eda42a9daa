import type { FinishReason } from '../../neutral/events'

const read: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
  // Followers pass on the words of the vendors behind them.
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop-sequence',
  max_tokens: 'length',
  tool_use: 'tool-calls',
  refusal: 'refusal',
}

export const readFinishReason = (reason: string): FinishReason => read[reason] ?? 'other'

/** OpenAI knows four reasons; whoever called a tool ended for that. */
export function writeFinishReason(reason: FinishReason, hasToolCalls: boolean): string {
  if (reason === 'length' || reason === 'context-window') return 'length'
  if (reason === 'content-filter' || reason === 'refusal') return 'content_filter'
  return reason === 'tool-calls' || hasToolCalls ? 'tool_calls' : 'stop'
}
