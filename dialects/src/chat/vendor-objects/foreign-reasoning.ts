import { isObject, type JsonObject } from '../../core/json'
import { withoutSealedReasoning } from './sealed-thoughts'

const names = { input: 'encrypted reasoning', messages: 'signed thoughts', contents: 'thought signatures' } as const

/**
 * Returns a request, of any dialect, without the reasoning that only the account or model can read that wrote it, or itself where it has
 * none. `warn` names what is left out.
 */
export function withoutForeignReasoning(body: JsonObject, warn: (what: string) => void): JsonObject {
  const left = withoutSealedReasoning(body)
  const changed = keysOf(names).filter((name) => JSON.stringify(left[name]) !== JSON.stringify(body[name]))
  for (const name of changed) warn(names[name])
  if (changed.length === 0) return body
  return Array.isArray(left['messages']) ? withoutEmpty(left, left['messages']) : left
}

const keysOf = <Name extends string>(object: Readonly<Record<Name, string>>): Name[] => Object.keys(object) as Name[]

/** Anthropic takes no message without content, and no thinking in a turn that goes on without its thought. */
function withoutEmpty(body: JsonObject, all: readonly unknown[]): JsonObject {
  const messages = all.filter((message) => !isObject(message) || listOf(message['content'])?.length !== 0)
  const { thinking, context_management: _, ...rest } = body
  const isThinking = isObject(thinking) && thinking['type'] === 'enabled'
  return isThinking && goesOn(messages.at(-1)) ? { ...rest, messages } : { ...body, messages }
}

const listOf = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null)

const goesOn = (message: unknown): boolean =>
  isObject(message) &&
  listOf(message['content'])?.some((block) => isObject(block) && block['type'] === 'tool_result') === true
