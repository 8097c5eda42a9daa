import { type SimulatedResponse, whole } from '../simulated-response'
import type { StreamEvent } from '../wire'
import type { Behaviour } from '../behaviour'
import { objectOr, textOr, type JsonObject } from '../json'
import { createdAt } from './chat'
import { messageFor } from './message'
import { countUsage } from './usage'

/** Answer a text completion, whole or as a stream. */
export function completions(body: JsonObject, behaviour: Behaviour, number: number): SimulatedResponse {
  const responseId = `cmpl-sim${number}`
  const message = messageFor({ ...body, tools: [] }, behaviour, number)
  const counted = countUsage(body, message, behaviour)
  const chunk = (choices: readonly JsonObject[], rest: JsonObject): JsonObject => ({
    id: responseId,
    object: 'text_completion',
    created: createdAt,
    model: textOr(body['model'], ''),
    choices,
    ...rest,
  })
  const choice = (text: string, finishReason: string | null) => ({
    text,
    index: 0,
    logprobs: null,
    finish_reason: finishReason,
  })
  const isReported = isUsageReported(body, behaviour)
  const promised = isReported ? counted : { ...counted, reported: undefined }
  const usage = isReported ? { usage: counted.reported } : {}
  if (body['stream'] !== true) {
    return whole(chunk([choice(message.pieces.join(''), message.finishReason)], usage), promised, responseId)
  }
  const events: JsonObject[] = [
    ...message.pieces.map((piece) => chunk([choice(piece, null)], {})),
    chunk([choice('', message.finishReason)], {}),
    ...(isReported ? [chunk([], usage)] : []),
  ]
  return { kind: 'stream', events: events.map(eventOf), last: { data: '[DONE]' }, counted: promised, responseId }
}

function isUsageReported(body: JsonObject, behaviour: Behaviour): boolean {
  const report = behaviour.usage ?? 'asked'
  if (report !== 'asked') return report !== 'none'
  return body['stream'] !== true || objectOr(body['stream_options'])['include_usage'] === true
}

const eventOf = (chunk: JsonObject): StreamEvent => ({ data: JSON.stringify(chunk) })
