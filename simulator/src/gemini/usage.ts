import type { Behaviour } from '../behaviour'
import type { JsonObject } from '../json'
import { reportedUsage } from '../usage-report'

const names = { prompt: 'promptTokenCount', completion: 'candidatesTokenCount', total: 'totalTokenCount' }

export interface Counts {
  readonly prompt: number
  /** Without thoughts. */
  readonly candidates: number
  readonly thoughts: number
  /** Image tokens of the candidates. */
  readonly pictures?: number
}

/** `usageMetadata`, where reasoning is counted apart from the candidates. */
export function usageOf(counts: Counts, behaviour: Behaviour): unknown {
  const { prompt, candidates, thoughts, pictures = 0 } = counts
  const { cachedTokens = 0, imageTokens = 0, audioTokens = 0, completionAudioTokens = 0 } = behaviour
  const text = Math.max(prompt - imageTokens - audioTokens, 0)
  const produced = detailsOf({ IMAGE: pictures, AUDIO: completionAudioTokens })
  return reportedUsage(behaviour, names, {
    promptTokenCount: prompt,
    ...(candidates > 0 ? { candidatesTokenCount: candidates } : {}),
    totalTokenCount: prompt + candidates + thoughts,
    ...(cachedTokens > 0
      ? { cachedContentTokenCount: cachedTokens, cacheTokensDetails: detailsOf({ TEXT: cachedTokens }) }
      : {}),
    promptTokensDetails: detailsOf({ TEXT: text, IMAGE: imageTokens, AUDIO: audioTokens }),
    ...(produced.length > 0 ? { candidatesTokensDetails: produced } : {}),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
  })
}

const detailsOf = (counts: Record<string, number>): JsonObject[] =>
  Object.entries(counts)
    .filter(([, tokenCount]) => tokenCount > 0)
    .map(([modality, tokenCount]) => ({ modality, tokenCount }))
