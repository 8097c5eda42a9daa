import type { JsonObject } from '../../core/json'
import type { DialectId } from '../../core/mode'
import { inBody } from '../../core/views'
import { translationOf } from '../translation'

/** @throws Error where the two dialects have no chats. */
export const translate = (client: DialectId, upstream: DialectId, body: JsonObject) => {
  const translated = translationOf(client, upstream)?.({ model: 'm', ...body }, { ...inBody, model: 'm' }, 'm')
  if (!translated) throw new Error(`${client} and ${upstream} chat`)
  return translated
}

/** A call as each upstream writes it, whole and streamed. */
export const calling: Partial<Record<DialectId, (name: string, args: JsonObject) => JsonObject>> = {
  'openai-chat': (name, args) => ({
    choices: [
      {
        index: 0,
        message: { tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: JSON.stringify(args) } }] },
        finish_reason: 'tool_calls',
      },
    ],
  }),
  'anthropic-messages': (name, input) => ({
    content: [{ type: 'tool_use', id: 'c', name, input }],
    stop_reason: 'tool_use',
  }),
  gemini: (name, args) => ({
    candidates: [{ content: { parts: [{ functionCall: { name, args } }] }, finishReason: 'STOP' }],
  }),
  'cohere-chat': (name, args) => ({
    message: { tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: JSON.stringify(args) } }] },
    finish_reason: 'TOOL_CALL',
  }),
}

export const upstreams = Object.keys(calling) as DialectId[]

/** The declared functions in any upstream's body, by name. */
export function functionsIn(body: JsonObject): string[] {
  return [...JSON.stringify(body['tools'] ?? []).matchAll(/"name":"([^"]+)"/g)].map(([, name = '']) => name)
}
