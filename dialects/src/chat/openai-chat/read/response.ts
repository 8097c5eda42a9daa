import type { JsonObject } from '../../../core/json'
import type { EventReader, ServerEvent } from '../../../core/neutral/codec'
import type { AnswerEvent } from '../../../core/neutral/events'
import { parsedObject } from '../../../core/neutral/read'
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
