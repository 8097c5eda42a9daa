import { isObject, type JsonObject } from '../../core/json'
import type { UpstreamCodec } from '../../core/neutral/codec'
import { readAsNamedEvents } from '../openai-chat/chunk-form'
import { DifyEvents } from './read/response'
import { writeCall } from './write/call'

/** The response of a blocking call as the event that says the same: a chat's ends with its usage, a workflow's with its outputs. */
const blocking = (answer: JsonObject): JsonObject =>
  isObject(answer['data'])
    ? { ...answer, event: 'workflow_finished' }
    : 'answer' in answer
      ? { ...answer, event: 'blocking' }
      : answer

/** Applications of Dify: chats, agents, completions and workflows. https://docs.dify.ai/en/api-reference */
export const difyChatCodec: UpstreamCodec = {
  writeCall,
  ...readAsNamedEvents(() => {
    const events = new DifyEvents()
    return (event) => events.map(event)
  }, blocking),
}
