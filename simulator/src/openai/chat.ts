import { type Counted, type SimulatedResponse, whole } from '../simulated-response'
import type { StreamEvent } from '../wire'
import type { Behaviour } from '../behaviour'
import { piecesOf, unknownFields } from '../content'
import { objectOr, textOr, type JsonObject } from '../json'
import { messageFor, type Message } from './message'
import { countUsage, usageOf } from './usage'

/** The moment every answer claims to be created at. */
export const createdAt = 1_750_000_000

/** Answer a chat completion, whole or as a stream. */
export function chat(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const responseId = `chatcmpl-sim${number}`
  const message = messageFor(body, behaviour, number)
  const counted = countUsage(body, message, behaviour)
  if (body['stream'] === true) {
    const stream = new ChatStream(body, behaviour, responseId, counted)
    return {
      kind: 'stream',
      events: stream.events(message),
      last: { data: '[DONE]' },
      counted: stream.countUsage(),
      responseId,
    }
  }
  const isReported = behaviour.usage !== 'none'
  const responseBody = {
    id: responseId,
    object: 'chat.completion',
    created: createdAt,
    model: textOr(body['model'], ''),
    ...(behaviour.unknownFields ? unknownFields : {}),
    choices: [{ index: 0, message: wholeMessage(message), logprobs: null, finish_reason: message.finishReason }],
    ...(isReported ? { usage: counted.reported } : {}),
    system_fingerprint: 'fp_sim',
  }
  return whole(responseBody, isReported ? counted : { ...counted, reported: undefined }, responseId)
}

function wholeMessage(message: Message): JsonObject {
  const text = message.pieces.join('')
  const isRefusal = message.ending === 'refusal'
  const calls = message.toolCalls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments },
  }))
  const isSilent = isRefusal || (calls.length > 0 && text === '')
  return {
    role: 'assistant',
    content: isSilent ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    refusal: isRefusal ? text : null,
    ...(hasReadableThoughts(message) ? { reasoning_content: message.thoughts.join('') } : {}),
    ...(message.searches > 0 ? { annotations: annotationsOf(message) } : {}),
  }
}

const hasReadableThoughts = (message: Message): boolean => message.thoughts.length > 0 && !message.isRedacted

/** One for each search, all over the whole text. */
const annotationsOf = (message: Message): JsonObject[] =>
  Array.from({ length: message.searches }, (_, index) => ({
    type: 'url_citation',
    url_citation: {
      start_index: 0,
      end_index: message.pieces.join('').length,
      url: `https://example.com/${index + 1}`,
      title: `Result ${index + 1}`,
    },
  }))

class ChatStream {
  readonly #isUsageRequested: boolean
  #deltaCount = 0

  constructor(
    private readonly body: JsonObject,
    private readonly behaviour: Behaviour,
    private readonly responseId: string,
    private readonly counted: Counted,
  ) {
    this.#isUsageRequested = objectOr(body['stream_options'])['include_usage'] === true
  }

  /** The counts, without a reported usage when none goes out. */
  countUsage(): Counted {
    const report = this.behaviour.usage ?? 'asked'
    const isReported = report === 'asked' ? this.#isUsageRequested : report !== 'none'
    return isReported ? this.counted : { ...this.counted, reported: undefined }
  }

  events(message: Message): StreamEvent[] {
    const isSilent = message.pieces.length === 0 && message.toolCalls.length > 0
    const textField = message.ending === 'refusal' ? 'refusal' : 'content'
    const events = [
      this.#delta({ role: 'assistant', content: isSilent || textField === 'refusal' ? null : '', refusal: null }),
    ]
    for (const thought of hasReadableThoughts(message) ? message.thoughts : []) {
      events.push(this.#delta({ reasoning_content: thought }))
    }
    for (const piece of message.pieces) events.push(this.#delta({ [textField]: piece }))
    if (message.searches > 0) events.push(this.#delta({ annotations: annotationsOf(message) }))
    for (const delta of toolDeltas(message)) events.push(this.#delta(delta))
    if (this.behaviour.hugeFrame) events.push(this.#delta({ content: 'x'.repeat(this.behaviour.hugeFrame) }))
    const isInLast = this.behaviour.usage === 'last-choice'
    events.push(
      this.#chunk(
        [{ index: 0, delta: {}, finish_reason: message.finishReason }],
        isInLast ? this.counted.reported : undefined,
      ),
    )
    return [...events, ...this.#usageEvents()]
  }

  #usageEvents(): StreamEvent[] {
    const report = this.behaviour.usage ?? 'asked'
    const usage = this.#chunk([], this.counted.reported)
    if (report === 'duplicate') return [usage, usage]
    return report === 'always' || (report === 'asked' && this.#isUsageRequested) ? [usage] : []
  }

  #delta(delta: JsonObject): StreamEvent {
    this.#deltaCount += 1
    return this.#chunk([{ index: 0, delta, finish_reason: null }], this.#runningUsage())
  }

  #runningUsage(): unknown {
    if (this.behaviour.usage !== 'every-chunk') return undefined
    return usageOf(
      this.counted.promptTokens,
      Math.min(this.#deltaCount - 1, this.counted.completionTokens),
      this.behaviour,
    )
  }

  #chunk(choices: readonly JsonObject[], usage: unknown): StreamEvent {
    const isEvery = this.behaviour.usage === 'every-chunk'
    const shown = usage ?? (isEvery ? this.counted.reported : this.#isUsageRequested ? null : undefined)
    const chunk = {
      id: this.responseId,
      object: 'chat.completion.chunk',
      created: createdAt,
      model: textOr(this.body['model'], ''),
      ...(this.behaviour.unknownFields ? unknownFields : {}),
      system_fingerprint: 'fp_sim',
      choices,
      ...(shown === undefined ? {} : { usage: shown }),
    }
    return { data: JSON.stringify(chunk) }
  }
}

/** Parallel tool calls as vendors stream them: each opened in turn, then their arguments in alternating pieces. */
function toolDeltas(message: Message): JsonObject[] {
  const opened = message.toolCalls.map((call, index) => ({
    tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }],
  }))
  const pieces = message.toolCalls.map((call) => piecesOf(call.arguments, 6))
  const maxLength = Math.max(0, ...pieces.map((list) => list.length))
  const argumentDeltas = Array.from({ length: maxLength }, (_, at) =>
    pieces.flatMap((list, index) => {
      const piece = list[at]
      return piece === undefined ? [] : [{ tool_calls: [{ index, function: { arguments: piece } }] }]
    }),
  ).flat()
  return [...opened, ...argumentDeltas]
}
