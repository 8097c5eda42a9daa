import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { ResponseWriter } from './events'

/** A stream of responses. */
export function createWriter(answering: Answering): EventWriter {
  const writer = new ResponseWriter(answering)
  return { write: (events) => writer.take(events) }
}

export const eventText = (response: JsonObject): string => `data: ${JSON.stringify(response)}\n\n`

/** A whole response: a stream of one. After a failure, the error. */
export const writeAnswer = (events: readonly AnswerEvent[], answering: Answering): JsonObject =>
  new ResponseWriter(answering).take(events).at(-1) ?? {}
