import { messages } from '../anthropic/messages'
import { type Counted, Refusal, type SimulatedResponse } from '../simulated-response'
import type { StreamEvent } from '../wire'
import type { Behaviour } from '../behaviour'
import type { Call } from '../dialect'
import { listOr, objectOr, parseJson, textOr, type JsonObject } from '../json'
import { converseStream } from './event-stream'

/** Returns an answer in the words of Converse. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export function converse({ json, model, isStream, number }: Call, behaviour: Behaviour): SimulatedResponse {
  const body = objectOr(json)
  for (const name of ['model', 'stream']) if (name in body) throw new Refusal(400, `Unknown parameter: ${name}`)
  return inConverse(messages({ body: asMessages(body), model, isStream, number }, behaviour))
}

function asMessages(body: JsonObject): JsonObject {
  const { maxTokens = 4096, temperature, topP, stopSequences } = objectOr(body['inferenceConfig'])
  const { tools, toolChoice } = objectOr(body['toolConfig'])
  const [choice] = Object.keys(objectOr(toolChoice))
  return {
    max_tokens: maxTokens,
    temperature,
    top_p: topP,
    stop_sequences: stopSequences,
    ...(body['system'] !== undefined && { system: blocksOf(body['system']) }),
    messages: listOr(body['messages']).map((message) => {
      const { role, content } = objectOr(message)
      return { role, content: blocksOf(content) }
    }),
    tools: listOr(tools).map((tool) => {
      const { name, inputSchema } = objectOr(objectOr(tool)['toolSpec'])
      return { name, input_schema: objectOr(inputSchema)['json'] }
    }),
    ...(choice !== undefined && { tool_choice: { type: choice, ...objectOr(objectOr(toolChoice)[choice]) } }),
  }
}

const blocksOf = (blocks: unknown): JsonObject[] =>
  listOr(blocks).map((block) => {
    const { text, toolUse, toolResult } = objectOr(block)
    if (toolUse !== undefined) return { type: 'tool_use', ...objectOr(toolUse) }
    if (toolResult === undefined) return { type: 'text', text }
    return { type: 'tool_result', content: blocksOf(objectOr(toolResult)['content']) }
  })

function inConverse(response: SimulatedResponse): SimulatedResponse {
  const { counted } = response
  const usage = counted && usageOf(counted)
  if (response.kind === 'whole') {
    const { content, stop_reason } = objectOr(response.body)
    const blocks = listOr(content).map((block) => blockOf(objectOr(block)))
    const message = { role: 'assistant', content: blocks }
    return { ...response, body: { output: { message }, stopReason: stop_reason, usage, metrics: { latencyMs: 100 } } }
  }
  return {
    ...response,
    events: response.events.flatMap(eventsOf),
    last: response.last && createEvent('metadata', { usage, metrics: { latencyMs: 100 } }),
    framing: converseStream,
  }
}

const usageOf = ({ promptTokens, completionTokens, reported }: Counted): JsonObject | undefined =>
  reported === undefined
    ? undefined
    : { inputTokens: promptTokens, outputTokens: completionTokens, totalTokens: promptTokens + completionTokens }

function blockOf(block: JsonObject): JsonObject {
  const { type, id: toolUseId, name, input, thinking: text, signature } = block
  if (type === 'tool_use') return { toolUse: { toolUseId, name, input } }
  return type === 'thinking' ? { reasoningContent: { reasoningText: { text, signature } } } : { text: block['text'] }
}

const createEvent = (name: string, event: object): StreamEvent => ({ name, data: JSON.stringify(event) })

function eventsOf({ name, data }: StreamEvent): StreamEvent[] {
  const event = objectOr(parseJson(data))
  const contentBlockIndex = event['index']
  const delta = objectOr(event['delta'])
  switch (name) {
    case 'message_start':
      return [createEvent('messageStart', { role: 'assistant' })]
    case 'content_block_start': {
      const { toolUse } = blockOf(objectOr(event['content_block']))
      if (toolUse === undefined) return []
      const { toolUseId, name: tool } = objectOr(toolUse)
      return [createEvent('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId, name: tool } } })]
    }
    case 'content_block_delta':
      return [createEvent('contentBlockDelta', { contentBlockIndex, delta: deltaOf(delta) })]
    case 'content_block_stop':
      return [createEvent('contentBlockStop', { contentBlockIndex })]
    case 'message_delta':
      return [createEvent('messageStop', { stopReason: delta['stop_reason'] })]
    default:
      return []
  }
}

function deltaOf(delta: JsonObject): JsonObject {
  switch (textOr(delta['type'], '')) {
    case 'input_json_delta':
      return { toolUse: { input: delta['partial_json'] } }
    case 'thinking_delta':
      return { reasoningContent: { text: delta['thinking'] } }
    case 'signature_delta':
      return { reasoningContent: { signature: delta['signature'] } }
    default:
      return { text: delta['text'] }
  }
}
