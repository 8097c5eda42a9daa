import { isObject, type JsonObject } from '../../core/json'

/** What Claude Code tells Anthropic of itself stands in the system prompt, with a part that changes with each request. */
export const billingNote = 'x-anthropic-billing-header'

const noteLine = /^x-anthropic-billing-header:[^\n]*\n*/

/**
 * Returns a request without the note; the same object where there is none. Anthropic knows its own client by it. Bedrock and Vertex refuse it
 * (“a reserved keyword”), and at others the prompt never begins as one that is in their cache.
 * https://github.com/anthropics/claude-code/issues/24168
 */
export function withoutBillingNote(body: JsonObject): JsonObject {
  const { system } = body
  if (typeof system === 'string')
    return noteLine.test(system) ? { ...body, system: system.replace(noteLine, '') } : body
  if (!Array.isArray(system)) return body
  const others = system.filter((block: unknown) => !isNote(block))
  return others.length === system.length ? body : { ...body, system: others }
}

const isNote = (block: unknown): boolean =>
  isObject(block) && typeof block['text'] === 'string' && block['text'].startsWith(`${billingNote}:`)
