import { anyObject, plainRequest, type GenerationRequest, type ToolChoice } from '../generation-request'
import type { Behaviour } from '../behaviour'
import { listOr, numberOr, objectOr, textOr, type JsonObject } from '../json'
import { generationFor, type Generation, type GenerationEnding } from '../generation'

/** What the assistant says in a chat. */
export interface Message extends Omit<Generation, 'toolCalls'> {
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  readonly finishReason: FinishReason
}

type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

const finishReasons = {
  stop: 'stop',
  'stop-sequence': 'stop',
  tools: 'tool_calls',
  length: 'length',
  refusal: 'stop',
  'content-filter': 'content_filter',
  blocked: 'content_filter',
  pause: 'stop',
  'context-window': 'length',
  failed: 'stop',
} satisfies Record<GenerationEnding, FinishReason>

/** Decide from the request alone what to say, the same each time. */
export function messageFor(body: JsonObject, behaviour: Behaviour, number: number): Message {
  const message = generationFor(readRequest(body), behaviour)
  return {
    ...message,
    toolCalls: message.toolCalls.map((call, index) => ({
      id: `call_sim${number}_${index}`,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    })),
    finishReason: finishReasons[message.ending],
  }
}

/** What a chat asks for. It thinks only when the simulator is told to: this dialect has no way to ask for thoughts to read. */
export function readRequest(body: JsonObject): GenerationRequest {
  const messages = listOr(body['messages']).map(objectOr)
  const limit = numberOr(body['max_completion_tokens'] ?? body['max_tokens'], 0)
  return {
    ...plainRequest,
    prompt: messages.map((message) => message['content']),
    tools: listOr(body['tools']).flatMap(toolsIn),
    toolChoice: toolChoiceIn(body['tool_choice']),
    isParallel: body['parallel_tool_calls'] !== false,
    hasToolResults: messages.some((message) => message['role'] === 'tool'),
    schema: schemaIn(body),
    limit: limit > 0 ? limit : null,
    stop: [body['stop']].flat().filter((one) => typeof one === 'string'),
  }
}

function toolsIn(tool: unknown): GenerationRequest['tools'] {
  const described = objectOr(objectOr(tool)['function'])
  return [{ name: textOr(described['name'], 'unnamed'), schema: described['parameters'] }]
}

function toolChoiceIn(choice: unknown): ToolChoice {
  if (choice === 'none') return 'none'
  const name = objectOr(objectOr(choice)['function'])['name']
  return typeof name === 'string' ? { name } : 'free'
}

function schemaIn(body: JsonObject): unknown {
  const format = objectOr(body['response_format'])
  if (format['type'] === 'json_object') return anyObject
  return format['type'] === 'json_schema' ? objectOr(format['json_schema'])['schema'] : undefined
}
