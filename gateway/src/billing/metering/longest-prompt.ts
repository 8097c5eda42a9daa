import type { PossibleUse, PromptReach, PromptShape } from '@tollgate/dialects'

/** What a tool of the vendor puts into the prompt each time it runs: the pages it found. */
const tokensPerUse = 8_000

/** A request, as far as it bounds its prompt. */
interface Bounded {
  /** Estimated from what the body shows. */
  readonly promptTokens: number
  readonly prompt: Pick<PromptShape, 'files'>
  readonly promptReach: PromptReach
  readonly possible: Pick<PossibleUse, 'toolsAtMost'>
}

/**
 * Returns the most tokens that the prompt of a request may have, in a window of `window` tokens and with a body of `bytes` bytes; what its body
 * shows where that is all. No file has more tokens than bytes.
 */
export function longestPrompt(asked: Bounded, { window, bytes }: { window: number; bytes: number }): number {
  const { promptTokens, promptReach, possible } = asked
  if (promptReach === 'window') return Math.max(promptTokens, window)
  const { webSearch = 0, fileSearch = 0, codeInterpreter = 0 } = possible.toolsAtMost
  const found = (webSearch + fileSearch + codeInterpreter) * tokensPerUse
  const files = promptReach === 'bytes' ? bytes : 0
  if (found + files === 0) return promptTokens
  return Math.max(promptTokens, Math.min(promptTokens + found + files, window))
}
