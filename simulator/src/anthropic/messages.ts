import { type SimulatedResponse, whole } from '../simulated-response'
import type { StreamEvent } from '../wire'
import type { Behaviour } from '../behaviour'
import { unknownFields } from '../content'
import type { JsonObject } from '../json'
import { generationFor, type GenerationEnding } from '../generation'
import { blocksOf, type Block } from './blocks'
import { readRequest, check, isThinkingOmitted } from './request'
import { usageOf, type MessageUsage } from './usage'

const stopReasons = {
  stop: 'end_turn',
  'stop-sequence': 'stop_sequence',
  tools: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
  'content-filter': 'refusal',
  blocked: 'refusal',
  pause: 'pause_turn',
  'context-window': 'model_context_window_exceeded',
  failed: 'end_turn',
} satisfies Record<GenerationEnding, string>

interface Asking {
  readonly body: JsonObject
  readonly model: string
  readonly isStream: boolean
  readonly number: number
}

interface Message {
  readonly head: JsonObject
  readonly blocks: readonly Block[]
  readonly end: JsonObject
  readonly usage: MessageUsage
}

/** Answer a message, whole or as a stream. */
export function messages({ body, model, isStream, number }: Asking, behaviour: Behaviour): SimulatedResponse {
  check(body)
  const requested = readRequest(body)
  const speech = generationFor(requested, behaviour)
  const responseId = `msg_sim${number}`
  const message: Message = {
    head: {
      id: responseId,
      type: 'message',
      role: 'assistant',
      model,
      ...(behaviour.unknownFields ? unknownFields : {}),
    },
    blocks: blocksOf(speech, behaviour, number, isThinkingOmitted(body)),
    end: {
      stop_reason: stopReasons[speech.ending],
      stop_sequence: speech.stopSequence,
      ...(stopReasons[speech.ending] === 'refusal'
        ? { stop_details: { type: 'refusal', category: null, explanation: null } }
        : {}),
    },
    usage: usageOf(body, requested.prompt, speech, behaviour),
  }
  const headers = { 'request-id': `req_sim${number}` }
  if (!isStream) return { ...whole(wholeMessage(message), message.usage.counted, responseId), headers }
  const { events, last } = streamOf(message, behaviour)
  return { kind: 'stream', events, last, counted: message.usage.counted, responseId, headers }
}

const wholeMessage = ({ head, blocks, end, usage }: Message): JsonObject => ({
  ...head,
  content: blocks.filter(isIncluded).map((block) => block.whole),
  ...end,
  ...usageField(usage.whole),
})

/** A text that only a stream's huge frame fills is not part of the response. */
const isIncluded = ({ whole }: Block): boolean => whole['type'] !== 'text' || whole['text'] !== ''

const usageField = (usage: unknown): JsonObject => (usage === undefined ? {} : { usage })

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
function streamOf(message: Message, behaviour: Behaviour): { events: StreamEvent[]; last: StreamEvent } {
  const more = behaviour.unknownFields ? unknownFields : {}
  const event = (type: string, members: JsonObject): StreamEvent => ({
    name: type,
    data: JSON.stringify({ type, ...members, ...more }),
  })
  const { head, blocks, end, usage } = message
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null, ...usageField(usage.atStart) }
  const blockEvents = blocks.flatMap((block, index) => [
    event('content_block_start', { index, content_block: block.start }),
    ...block.deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ])
  const delta = event('message_delta', { delta: end, ...usageField(usage.atEnd) })
  const events = [
    event('message_start', { message: start }),
    ...blockEvents.slice(0, 1),
    { name: 'ping', data: '{"type": "ping"}' },
    ...blockEvents.slice(1),
    delta,
    ...(behaviour.usage === 'duplicate' ? [delta] : []),
  ]
  return { events, last: event('message_stop', {}) }
}
