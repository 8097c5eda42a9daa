import type { Counted } from '../simulated-response'
import type { Behaviour } from '../behaviour'
import { listOr, objectOr, type JsonObject } from '../json'
import { inputTokensOf, promptTokensOf } from '../usage-report'

function promptOf(body: JsonObject): number {
  const messages = listOr(body['messages'])
  if (messages.length === 0) return inputTokensOf(body['prompt'] ?? body['input'])
  return promptTokensOf(messages.map((message) => objectOr(message)['content']))
}

/** What was generated, and how much of it was thought. */
interface Generated {
  readonly completionTokens: number
  readonly thoughtTokens?: number
}

/** The usage of an answer as OpenAI writes it, with the details that were requested. */
export function countUsage(body: JsonObject, generated: Generated, behaviour: Behaviour): Counted {
  const promptTokens = behaviour.promptTokens ?? promptOf(body)
  const { completionTokens, thoughtTokens = 0 } = generated
  const effectiveBehaviour = thoughtTokens > 0 ? { ...behaviour, reasoningTokens: thoughtTokens } : behaviour
  const reported =
    'usageOverride' in behaviour ? behaviour.usageOverride : usageOf(promptTokens, completionTokens, effectiveBehaviour)
  return { promptTokens, completionTokens, reported }
}

export function usageOf(promptTokens: number, completionTokens: number, behaviour: Behaviour): JsonObject {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...detailsOf('prompt_tokens_details', {
      cached_tokens: behaviour.cachedTokens,
      cache_write_tokens: behaviour.cacheWriteTokens,
      audio_tokens: behaviour.audioTokens,
      image_tokens: behaviour.imageTokens,
    }),
    ...detailsOf('completion_tokens_details', {
      reasoning_tokens: behaviour.reasoningTokens,
      audio_tokens: behaviour.completionAudioTokens,
    }),
  }
}

function detailsOf(name: string, counts: Record<string, number | undefined>): JsonObject {
  const known = Object.entries(counts).filter(([, count]) => count !== undefined)
  return known.length > 0 ? { [name]: Object.fromEntries(known) } : {}
}
