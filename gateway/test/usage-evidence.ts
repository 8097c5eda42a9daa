import type { UsageEvidence } from '../src/billing/metering/usage-bounds'

/** A short call of a model that does not reason. */
export const plainEvidence: UsageEvidence = {
  requestBytes: 100,
  isPromptShown: true,
  promptTokens: 10,
  maxOutputTokens: 10,
  choices: 1,
  textBytes: 5,
  maxToolUses: () => 0,
  isSpoken: () => false,
  images: 1,
  model: { contextTokens: 128_000, outputTokens: null, abilities: [], output: ['text'] },
}
