import type { Behaviour } from '../behaviour'
import { sampleOf, wordsOf } from '../content'
import { listOr, objectOr, textOr, type JsonObject } from '../json'

interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** What the assistant says: a text in pieces, or tool calls. */
export interface Message {
  readonly pieces: readonly string[]
  readonly toolCalls: readonly ToolCall[]
  readonly completionTokens: number
  readonly finishReason: 'stop' | 'length' | 'tool_calls'
}

/** Decide from the request alone what to say, the same each time. */
export function messageFor(body: JsonObject, behaviour: Behaviour): Message {
  const toolCalls = toolCallsFor(body, behaviour)
  if (toolCalls.length > 0) {
    return {
      pieces: [],
      toolCalls,
      completionTokens: behaviour.tokens ?? toolCalls.length * 10,
      finishReason: 'tool_calls',
    }
  }
  const text = behaviour.text ?? structuredText(body)
  if (text !== null) {
    const pieces = text.match(/\s*\S+|\s+/g) ?? []
    return { pieces, toolCalls: [], completionTokens: behaviour.tokens ?? pieces.length, finishReason: 'stop' }
  }
  return generated(body, behaviour.tokens ?? 8)
}

function generated(body: JsonObject, wanted: number): Message {
  const limit = body['max_completion_tokens'] ?? body['max_tokens']
  const isCut = typeof limit === 'number' && limit > 0 && limit < wanted
  const completionTokens = isCut ? limit : wanted
  return { pieces: wordsOf(completionTokens), toolCalls: [], completionTokens, finishReason: isCut ? 'length' : 'stop' }
}

function toolCallsFor(body: JsonObject, behaviour: Behaviour): ToolCall[] {
  const functions = listOr(body['tools']).map((tool) => objectOr(objectOr(tool)['function']))
  if (functions.length === 0) return []
  const hasResults = listOr(body['messages']).some((message) => objectOr(message)['role'] === 'tool')
  const count = behaviour.toolCalls ?? (hasResults || body['tool_choice'] === 'none' ? 0 : functions.length)
  return Array.from({ length: count }, (_, index) => {
    const called = objectOr(functions[index % functions.length])
    return {
      id: `call_sim${index}`,
      name: textOr(called['name'], 'unnamed'),
      arguments: JSON.stringify(sampleOf(called['parameters'] ?? { type: 'object' })),
    }
  })
}

function structuredText(body: JsonObject): string | null {
  const format = objectOr(body['response_format'])
  if (format['type'] === 'json_object') return '{"answer": "sample"}'
  if (format['type'] !== 'json_schema') return null
  return JSON.stringify(sampleOf(objectOr(format['json_schema'])['schema']))
}
