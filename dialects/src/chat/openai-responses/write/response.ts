import type { JsonObject } from '../../../core/json'
import type { Answering, EventWriter } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { ResponseWriter } from './events'

/** A stream of a response. */
export function createWriter(answering: Answering): EventWriter {
  const writer = new ResponseWriter(answering)
  return { write: (events) => writer.take(events) }
}

/** A whole response: what the end of its stream repeats. */
export function writeAnswer(events: readonly AnswerEvent[], answering: Answering): JsonObject {
  const writer = new ResponseWriter(answering)
  writer.take([...events, { type: 'answer-end' }])
  return writer.response
}
