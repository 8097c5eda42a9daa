import { type Counted, type SimulatedResponse, whole } from '../simulated-response'
import type { StreamEvent } from '../wire'
import { plainRequest, type GenerationRequest } from '../generation-request'
import type { Behaviour } from '../behaviour'
import { piecesOf, unknownFields } from '../content'
import { listOr, objectOr, type JsonObject } from '../json'
import { readRequest as readChatRequest } from '../openai/message'
import { promptTokensOf, reportedUsage } from '../usage-report'
import { generationFor, type Generation, type GenerationEnding } from '../generation'

const finishReasons = {
  stop: 'COMPLETE',
  'stop-sequence': 'STOP_SEQUENCE',
  tools: 'TOOL_CALL',
  length: 'MAX_TOKENS',
  refusal: 'COMPLETE',
  'content-filter': 'ERROR',
  blocked: 'ERROR',
  pause: 'COMPLETE',
  'context-window': 'MAX_TOKENS',
  failed: 'COMPLETE',
} satisfies Record<GenerationEnding, string>

/** Answer a call of v2/chat, whole or as a stream. https://docs.cohere.com/reference/chat */
export function chat(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const requested = readRequest(body)
  const speech = generationFor(requested, behaviour)
  const promptTokens = behaviour.promptTokens ?? promptTokensOf(requested.prompt)
  const counted = countUsage(promptTokens, speech.completionTokens, behaviour)
  const responseId = `cohere-sim${number}`
  const end = {
    finish_reason: finishReasons[speech.ending],
    ...(counted.reported === undefined ? {} : { usage: counted.reported }),
  }
  const more = behaviour.unknownFields ? unknownFields : {}
  if (body['stream'] !== true) {
    return whole({ id: responseId, message: wholeMessage(speech), ...end, ...more }, counted, responseId)
  }
  const events = [
    eventOf('message-start', { id: responseId, delta: { message: emptyMessage }, ...more }),
    ...contentEvents(speech, behaviour),
    ...callEvents(speech),
    eventOf('message-end', { id: responseId, delta: end, ...more }),
  ]
  return { kind: 'stream', events, last: { data: '[DONE]' }, counted, responseId }
}

function readRequest(body: JsonObject): GenerationRequest {
  const format = objectOr(body['response_format'])
  const requested = readChatRequest({ ...body, stop: listOr(body['stop_sequences']), response_format: undefined })
  const structured = readChatRequest({ response_format: { type: 'json_object' } }).schema
  return {
    ...plainRequest,
    ...requested,
    toolChoice: body['tool_choice'] === 'NONE' ? 'none' : 'free',
    schema: format['type'] === 'json_object' ? (format['json_schema'] ?? format['schema'] ?? structured) : undefined,
    isThinking: objectOr(body['thinking'])['type'] === 'enabled',
  }
}

function countUsage(promptTokens: number, completionTokens: number, behaviour: Behaviour): Counted {
  const names = { prompt: 'input_tokens', completion: 'output_tokens' }
  const counts = reportedUsage(behaviour, names, { input_tokens: promptTokens, output_tokens: completionTokens })
  const reported = {
    billed_units: counts,
    tokens: counts,
    ...(behaviour.cachedTokens === undefined ? {} : { cached_tokens: behaviour.cachedTokens }),
  }
  return { promptTokens, completionTokens, reported: behaviour.usage === 'none' ? undefined : reported }
}

const thoughtsToRead = (speech: Generation): readonly string[] => (speech.isRedacted ? [] : speech.thoughts)

const callOf = (speech: Generation, index: number, text: string) => ({
  id: `call_sim${index}`,
  type: 'function',
  function: { name: speech.toolCalls[index]?.name ?? '', arguments: text },
})

/** What is said along with tool calls is the plan for them. */
function wholeMessage(speech: Generation): JsonObject {
  const thinking = thoughtsToRead(speech).join('')
  const thought = thinking === '' ? [] : [{ type: 'thinking', thinking }]
  const text = speech.pieces.join('')
  if (speech.toolCalls.length === 0) return { role: 'assistant', content: [...thought, { type: 'text', text }] }
  return {
    role: 'assistant',
    ...(thought.length > 0 ? { content: thought } : {}),
    ...(text === '' ? {} : { tool_plan: text }),
    tool_calls: speech.toolCalls.map((call, index) => callOf(speech, index, JSON.stringify(call.arguments))),
  }
}

const emptyMessage = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }

const eventOf = (type: string, members: JsonObject): StreamEvent => ({
  name: type,
  data: JSON.stringify({ type, ...members }),
})

function contentEvents(speech: Generation, behaviour: Behaviour): StreamEvent[] {
  const huge = behaviour.hugeFrame ? ['x'.repeat(behaviour.hugeFrame)] : []
  const pieces = [...speech.pieces, ...huge]
  const thoughts = thoughtsToRead(speech)
  const contents = [
    ...(thoughts.length > 0 ? [{ kind: 'thinking', pieces: thoughts }] : []),
    ...(speech.toolCalls.length === 0 ? [{ kind: 'text', pieces }] : []),
  ]
  const plan = speech.toolCalls.length > 0 ? pieces : []
  return [
    ...contents.flatMap(({ kind, pieces }, index) => [
      eventOf('content-start', { index, delta: { message: { content: { type: kind, [kind]: '' } } } }),
      ...pieces.map((piece) => eventOf('content-delta', { index, delta: { message: { content: { [kind]: piece } } } })),
      eventOf('content-end', { index }),
    ]),
    ...plan.map((piece) => eventOf('tool-plan-delta', { delta: { message: { tool_plan: piece } } })),
  ]
}

function callEvents(speech: Generation): StreamEvent[] {
  return speech.toolCalls.flatMap((call, index) => [
    eventOf('tool-call-start', { index, delta: { message: { tool_calls: callOf(speech, index, '') } } }),
    ...piecesOf(JSON.stringify(call.arguments), 6).map((piece) =>
      eventOf('tool-call-delta', { index, delta: { message: { tool_calls: { function: { arguments: piece } } } } }),
    ),
    eventOf('tool-call-end', { index }),
  ])
}
