import type { JsonObject } from '../json'
import type { UpstreamCodec } from '../neutral/codec'
import type { AnswerEvent } from '../neutral/events'
import { objectsOf, parsedObject } from '../neutral/read'
import { MappedEventReader } from '../openai-chat/chunk-form'
import { writeCall } from './call'
import { CozeEvents } from './events'

function newReader(): MappedEventReader {
  const events = new CozeEvents()
  return new MappedEventReader((event) => events.map(event))
}

/** A whole answer: the events of its stream in a list, each with its name, or an error. */
function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const reader = newReader()
  const told = Array.isArray(answer['events']) ? objectsOf(answer['events']) : [answer]
  return [...told.flatMap((event) => reader.take(event)), ...reader.endWhole()]
}

/** Bots of Coze. https://www.coze.cn/open/docs/developer_guides/chat_v3 */
export const cozeChatCodec: UpstreamCodec = {
  writeCall,
  readAnswer,
  createReader: () => {
    const reader = newReader()
    return {
      read: ({ name, data }) => {
        const event = parsedObject(data)
        if (event === null) return []
        return reader.take(name === '' ? event : { ...event, event: name })
      },
      end: () => reader.end(),
    }
  },
}
