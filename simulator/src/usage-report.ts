import type { Counted } from './simulated-response'
import type { Behaviour } from './behaviour'
import { isObject, type JsonObject } from './json'

/** What a dialect calls the counts that every usage has. */
interface CountNames {
  readonly prompt: string
  readonly completion: string
  readonly total?: string
}

const openAiNames = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const

/** The usage as it goes over the wire: the true one, or the requested one, in the names of the dialect. */
export function reportedUsage(behaviour: Behaviour, names: CountNames, usage: JsonObject): unknown {
  if (!('usageOverride' in behaviour)) return usage
  const override = behaviour.usageOverride
  if (!isObject(override) || !openAiNames.some((name) => name in override)) return override
  const renamed: JsonObject = {
    [names.prompt]: override['prompt_tokens'],
    [names.completion]: override['completion_tokens'],
    ...(names.total ? { [names.total]: override['total_tokens'] } : {}),
  }
  return renamed
}

/** The usage of a vendor that counts as OpenAI does, without details. */
export function plainCounted(promptTokens: number, completionTokens: number, behaviour: Behaviour): Counted {
  const [prompt, completion, total] = openAiNames
  const usage = { [prompt]: promptTokens, [completion]: completionTokens, [total]: promptTokens + completionTokens }
  const reported =
    behaviour.usage === 'none' ? undefined : reportedUsage(behaviour, { prompt, completion, total }, usage)
  return { promptTokens, completionTokens, reported }
}

/** A plain and steady measure of a prompt: four characters a token, 85 an image, three a message. */
export function promptTokensOf(messages: readonly unknown[]): number {
  return Math.max(1, messages.length * 3 + messages.reduce<number>((sum, content) => sum + tokensIn(content), 0))
}

/** The same measure of an input that is not a conversation. */
export const inputTokensOf = (input: unknown): number => Math.max(1, tokensIn(input))

function tokensIn(value: unknown): number {
  if (typeof value === 'string') return Math.ceil(value.length / 4)
  if (typeof value === 'number') return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + tokensIn(part), 0)
  if (!isObject(value)) return 0
  return value['type'] === 'text' ? tokensIn(value['text']) : 85
}
