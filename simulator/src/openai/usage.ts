import type { Counted } from '../answer'
import type { Behaviour } from '../behaviour'
import { isObject, listOr, objectOr, type JsonObject } from '../json'

/** A plain and steady measure of a prompt: four characters a token, 85 an image, three a message. */
function promptTokensOf(body: JsonObject): number {
  const messages = listOr(body['messages'])
  const inputs =
    messages.length > 0 ? messages.map((message) => objectOr(message)['content']) : [body['prompt'] ?? body['input']]
  return Math.max(1, messages.length * 3 + inputs.reduce<number>((sum, input) => sum + tokensIn(input), 0))
}

function tokensIn(value: unknown): number {
  if (typeof value === 'string') return Math.ceil(value.length / 4)
  if (typeof value === 'number') return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + tokensIn(part), 0)
  if (!isObject(value)) return 0
  return value['type'] === 'text' ? tokensIn(value['text']) : 85
}

/** The usage of an answer as OpenAI writes it, with the details that were asked for. */
export function countedOf(body: JsonObject, completionTokens: number, behaviour: Behaviour): Counted {
  const promptTokens = behaviour.promptTokens ?? promptTokensOf(body)
  const reported =
    'usageOverride' in behaviour ? behaviour.usageOverride : usageOf(promptTokens, completionTokens, behaviour)
  return { promptTokens, completionTokens, reported }
}

export function usageOf(promptTokens: number, completionTokens: number, behaviour: Behaviour): JsonObject {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...detailsOf('prompt_tokens_details', {
      cached_tokens: behaviour.cachedTokens,
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
