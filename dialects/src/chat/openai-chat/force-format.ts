import type { ChunkChange } from '../../core/dialect'
import { isObject, type JsonObject } from '../../core/json'
import { readUsage, usageBody } from '../../core/shared/usage'

/** The members of the standard shape, in its order. */
function pickMembers(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]))
}

const messageNames = [
  'role',
  'content',
  'reasoning_content',
  'refusal',
  'annotations',
  'audio',
  'tool_calls',
  'function_call',
] as const

const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other)
const numberOr = (value: unknown, other: number): number => (typeof value === 'number' ? value : other)

function message(value: unknown): JsonObject {
  if (!isObject(value)) return {}
  const reasoning = value['reasoning_content'] ?? value['reasoning']
  return pickMembers(reasoning === undefined ? value : { ...value, reasoning_content: reasoning }, messageNames)
}

const choices = (answer: JsonObject, part: 'message' | 'delta'): JsonObject[] => {
  const list: readonly unknown[] = Array.isArray(answer['choices']) ? answer['choices'] : []
  return list.filter(isObject).map((choice, index) => ({
    index: numberOr(choice['index'], index),
    [part]: message(choice[part]),
    ...(choice['logprobs'] === undefined ? {} : { logprobs: choice['logprobs'] }),
    finish_reason: choice['finish_reason'] ?? null,
  }))
}

function standard(answer: JsonObject, object: string, part: 'message' | 'delta'): JsonObject {
  const usage = readUsage(answer['usage'])
  return {
    id: textOr(answer['id'], ''),
    object,
    created: numberOr(answer['created'], 0),
    model: textOr(answer['model'], ''),
    ...pickMembers(answer, ['service_tier', 'system_fingerprint']),
    choices: choices(answer, part),
    ...(usage ? { usage: usageBody(usage) } : {}),
  }
}

/** A whole chat answer in the standard shape, without what other vendors add. */
export const forceFormat = (answer: JsonObject): JsonObject => standard(answer, 'chat.completion', 'message')

/** The same for the chunks of a stream. */
export const forceChunkFormat: ChunkChange = {
  chunk: (chunk) => [standard(chunk, 'chat.completion.chunk', 'delta')],
  end: () => [],
}
