import type { JsonObject } from '../../json'
import type { EventReader, ServerEvent } from '../../neutral/codec'
import type { AnswerEvent } from '../../neutral/events'
import { parsedObject } from '../../neutral/read'
import { ChunkReader } from './chunks'

/** A whole chat, read as one chunk that says all. */
export function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const reader = new ChunkReader()
  return [...reader.take(answer), ...reader.endWhole()]
}

/** Reads a stream of chunks. */
export function createReader(): EventReader {
  const reader = new ChunkReader()
  return {
    read({ data }: ServerEvent) {
      if (data.trim() === '[DONE]') return reader.close()
      const chunk = parsedObject(data)
      return chunk === null ? [] : reader.take(chunk)
    },
    get toolCalls() {
      return reader.toolCalls
    },
    end: () => reader.end(),
  }
}
