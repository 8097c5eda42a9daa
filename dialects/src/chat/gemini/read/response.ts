import type { JsonObject } from '../../../core/json'
import type { EventReader, ServerEvent } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { parsedObject } from '../../../core/neutral/read'
import { ResponseReader } from './events'

/** A whole response: the only one of its stream. */
export function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const reader = new ResponseReader()
  return [...reader.take(answer), ...reader.end()]
}

/** Reads a stream of responses. */
export function createReader(): EventReader {
  const reader = new ResponseReader()
  return {
    read: ({ data }: ServerEvent) => {
      const response = parsedObject(data)
      return response === null ? [] : reader.take(response)
    },
    get toolCalls() {
      return reader.toolCalls
    },
    end: () => reader.end(),
  }
}
