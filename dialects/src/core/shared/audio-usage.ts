import { isObject, type JsonObject } from '../json'
import { noUsage, type ReportedUsage } from '../usage'
import { TokenCounts } from './token-counts'

/** Longer than any recording that a vendor accepts: a week. */
const maxSeconds = 7 * 24 * 3600

/**
 * Returns the usage of speech or of a transcription: tokens, or the seconds of the recording. Null when it is missing or impossible.
 * https://platform.openai.com/docs/api-reference/audio/json-object
 */
export function audioUsage(usage: unknown): ReportedUsage | null {
  if (!isObject(usage)) return null
  return usage['type'] === 'duration' ? usageOfSeconds(usage['seconds']) : audioTokens(usage)
}

/** Returns a usage of this many seconds; null for an impossible length. */
export const usageOfSeconds = (seconds: unknown): ReportedUsage | null =>
  typeof seconds === 'number' && seconds > 0 && seconds <= maxSeconds ? { ...noUsage, seconds } : null

function audioTokens(usage: JsonObject): ReportedUsage | null {
  const counts = new TokenCounts()
  const prompt = detailsOf(usage, 'input_token_details', 'input_tokens_details')
  const completion = detailsOf(usage, 'output_token_details', 'output_tokens_details')
  const read: ReportedUsage = {
    ...noUsage,
    promptTokens: counts.of(usage['input_tokens'], usage['prompt_tokens']),
    completionTokens: counts.of(usage['output_tokens'], usage['completion_tokens']),
    audioInputTokens: counts.of(prompt['audio_tokens']),
    audioOutputTokens: counts.of(completion['audio_tokens']),
  }
  return counts.isWrong || read.promptTokens + read.completionTokens === 0 ? null : read
}

const detailsOf = (usage: JsonObject, one: string, other: string): JsonObject => {
  const details = usage[one] ?? usage[other]
  return isObject(details) ? details : {}
}
