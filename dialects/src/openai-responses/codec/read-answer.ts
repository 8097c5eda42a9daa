import type { UsageOptions } from '../../dialect'
import type { JsonObject } from '../../json'
import type { EventReader, ServerEvent } from '../../neutral/codec'
import type { AnswerEvent } from '../../neutral/events'
import { parsedObject } from '../../neutral/read'
import { ResponseReader } from './response-reader'

/** A whole response. */
export const readAnswer = (answer: JsonObject, options?: UsageOptions): readonly AnswerEvent[] =>
  new ResponseReader(options).whole(answer)

/** Reads a stream of a response. */
export function createReader(options?: UsageOptions): EventReader {
  const reader = new ResponseReader(options)
  return {
    read: ({ name, data }: ServerEvent) => {
      const event = parsedObject(data)
      return event === null ? [] : reader.take(typeof event['type'] === 'string' ? event : { ...event, type: name })
    },
    again: (text) => reader.again(text),
    end: () => reader.end(),
  }
}
