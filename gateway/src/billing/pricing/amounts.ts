import type { Amounts } from '@tollgate/contract/price-formula'
import type { Usage } from '@tollgate/dialects'

/** What a call used besides tokens. */
export interface Units {
  readonly seconds?: number
  /** As many as are requested, where the response does not count them. */
  readonly images?: number
  readonly characters?: number
}

export const noUnits: Units = {}

/**
 * Returns the amounts of a usage: every token is in exactly one class. Parts that add up to more than their whole are cut, in this order,
 * so that none is negative. The output of a model that draws is images, except for what the response reports as text, and for a response without images.
 */
export function amountsOf(usage: Usage, units: Units = noUnits, drawsImages = false): Amounts {
  let prompt = usage.promptTokens
  const cacheRead = Math.min(usage.cachedTokens, prompt)
  const cachedAudio = Math.min(usage.cachedAudioTokens ?? 0, cacheRead)
  prompt -= cacheRead
  const cacheWrite = Math.min(usage.cacheWriteTokens, prompt)
  prompt -= cacheWrite
  const cacheWriteHour = Math.min(usage.cacheWriteHourTokens, prompt)
  prompt -= cacheWriteHour
  const image = Math.min(usage.imageTokens, prompt)
  prompt -= image
  const audioInput = Math.min(usage.audioInputTokens, prompt)
  const audioOutput = Math.min(usage.audioOutputTokens, usage.completionTokens)
  let completion = usage.completionTokens - audioOutput
  const drawn = drawsImages ? drawnTokens(usage, completion) : 0
  completion -= drawn
  const reasoning = Math.min(usage.reasoningTokens, completion)
  const { toolCalls, details } = usage
  return {
    input: prompt - audioInput,
    output: completion - reasoning,
    cache_read: cacheRead - cachedAudio,
    cache_read_audio: cachedAudio,
    cache_write_5m: cacheWrite,
    cache_write_1h: cacheWriteHour,
    image_in: image,
    image_out: drawn,
    audio_in: audioInput,
    audio_out: audioOutput,
    reasoning,
    per_call: 1,
    per_second: usage.seconds ?? units.seconds ?? 0,
    per_image: details?.image_count ?? units.images ?? 0,
    per_character: units.characters ?? 0,
    web_search: toolCalls.webSearch ?? 0,
    file_search: toolCalls.fileSearch ?? 0,
    code_interpreter: toolCalls.codeInterpreter ?? 0,
    image_generation: toolCalls.imageGeneration ?? 0,
  }
}

function drawnTokens({ details, reasoningTokens }: Usage, completion: number): number {
  const reported = details?.completion_modalities
  if (details?.image_count === 0) return 0
  const max = completion - Math.min(reasoningTokens, completion)
  return reported ? Math.min(reported['IMAGE'] ?? 0, max) : max
}
