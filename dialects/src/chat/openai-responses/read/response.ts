import type { JsonObject } from '../../../core/json'
import type { EventReader, ServerEvent } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { parsedObject } from '../../../core/neutral/read'
import { ResponseReader } from './events'

/** A whole response. */
export const readAnswer = (answer: JsonObject): readonly AnswerEvent[] => new ResponseReader().whole(answer)

/** Reads a stream of a response. */
export function createReader(): EventReader {
  const reader = new ResponseReader()
  return {
    read: ({ name, data }: ServerEvent) => {
      const event = parsedObject(data)
      return event === null ? [] : reader.take(typeof event['type'] === 'string' ? event : { ...event, type: name })
    },
    get toolCalls() {
      return reader.toolCalls
    },
    end: () => reader.end(),
  }
}
