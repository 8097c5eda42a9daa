import type { JsonObject } from '../json'
import type { UpstreamCodec } from '../neutral/codec'
import type { AnswerEvent } from '../neutral/events'
import { isObject } from '../json'
import { objectsOf } from '../neutral/read'
import { readAsChunks, MappedEventReader } from '../openai-chat/chunk-form'
import { DifyEvents } from './read/response'
import { writeCall } from './write/call'

/** A whole answer: the events of its stream in a list, or one as blocking calls get it. */
function readAnswer(answer: JsonObject): readonly AnswerEvent[] {
  const events = new DifyEvents()
  const reader = new MappedEventReader((event) => events.map(event))
  const told = Array.isArray(answer['events']) ? objectsOf(answer['events']) : [blocking(answer)]
  return [...told.flatMap((event) => reader.take(event)), ...reader.endWhole()]
}

/** As the event that says the same: a chat's answer ends with its usage, a workflow's with its outputs. */
const blocking = (answer: JsonObject): JsonObject =>
  isObject(answer['data'])
    ? { ...answer, event: 'workflow_finished' }
    : 'answer' in answer
      ? { ...answer, event: 'blocking' }
      : answer

/** Applications of Dify: chats, agents, completions and workflows. https://docs.dify.ai/en/api-reference */
export const difyChatCodec: UpstreamCodec = {
  writeCall,
  readAnswer,
  createReader: readAsChunks(() => {
    const events = new DifyEvents()
    return (event) => events.map(event)
  }).createReader,
}
