import type { FinishReason } from '../../core/neutral/events'

/** https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons */
const words: readonly (readonly [word: string, reason: FinishReason])[] = [
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop-sequence'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool-calls'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause'],
  ['model_context_window_exceeded', 'context-window'],
]

const byWord: ReadonlyMap<string, FinishReason> = new Map(words)
const byReason: ReadonlyMap<FinishReason, string> = new Map([
  ...words.map(([word, reason]) => [reason, word] as const),
  ['content-filter', 'refusal'] as const,
])

/** Some vendors end a turn that calls tools as any other; programs go by the reason. */
export function readStopReason(word: string, hasToolCalls: boolean): FinishReason {
  const reason = byWord.get(word) ?? 'other'
  return reason === 'stop' && hasToolCalls ? 'tool-calls' : reason
}

export function writeStopReason(reason: FinishReason, hasToolCalls: boolean): string {
  if (hasToolCalls && (reason === 'stop' || reason === 'other')) return 'tool_use'
  return byReason.get(reason) ?? 'end_turn'
}
