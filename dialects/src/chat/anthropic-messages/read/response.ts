import type { JsonObject } from '../../../core/json'
import type { EventReader, ServerEvent } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { objectsOf, parsedObject } from '../../../core/neutral/read'
import { MessageEventReader } from './events'

/** A whole message, read as the stream that would have brought it. */
export function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const reader = new MessageEventReader()
  return eventsOf(answer).flatMap((event) => reader.take(event))
}

/** The events of a whole message; any other body may be an error. */
function eventsOf(answer: JsonObject): JsonObject[] {
  if (answer['type'] === 'error' || answer['error']) return [answer]
  const blocks = objectsOf(answer['content']).flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_stop', index },
  ])
  const { stop_reason, stop_sequence, usage } = answer
  return [
    { type: 'message_start', message: { ...answer, usage: undefined } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ]
}

/** Reads a stream of a message. */
export function createReader(): EventReader {
  const reader = new MessageEventReader()
  return {
    read: ({ name, data }: ServerEvent) => {
      const event = name === 'ping' ? null : parsedObject(data)
      if (event === null) return []
      // Some followers name the event and leave the type out of its data.
      return reader.take('type' in event || name === '' ? event : { ...event, type: name })
    },
    get toolCalls() {
      return reader.toolCalls
    },
    end: () => reader.end(),
  }
}
