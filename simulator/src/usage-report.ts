import type { Behaviour } from './behaviour'
import { isObject, type JsonObject } from './json'

/** What a dialect calls the counts that every usage has. */
interface CountNames {
  readonly prompt: string
  readonly completion: string
  readonly total?: string
}

const openAiNames = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const

/** The usage as it goes over the wire: the true one, or the one asked for, in the names of the dialect. */
export function reportedUsage(behaviour: Behaviour, names: CountNames, usage: JsonObject): unknown {
  if (!('usageOverride' in behaviour)) return usage
  const given = behaviour.usageOverride
  if (!isObject(given) || !openAiNames.some((name) => name in given)) return given
  const renamed: JsonObject = {
    [names.prompt]: given['prompt_tokens'],
    [names.completion]: given['completion_tokens'],
    ...(names.total ? { [names.total]: given['total_tokens'] } : {}),
  }
  return renamed
}
