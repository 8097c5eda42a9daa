import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { isObject, type JsonObject } from '../../core/json'
import { hasObjects } from '../../core/shared/reported-failure'
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

/** `POST /v1/chat-messages`, `/v1/completion-messages` and `/v1/workflows/run`; only upstreams speak it. */
export const difyChat: Dialect = chatDialect(
  'dify-chat',
  difyChatCodec,
  ({ events, answer, data }) => hasObjects(events) || typeof answer === 'string' || isObject(data),
)
