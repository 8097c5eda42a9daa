import type { Answer } from '../answer'
import type { Behaviour } from '../behaviour'
import { objectOr, type JsonObject } from '../json'
import type { StreamEvent } from '../stream-event'
import { chat } from './chat'

/** `POST /api/generate`: what a chat of one message answers, beside the other members. https://docs.ollama.com/api/generate */
export function generate(body: JsonObject, behaviour: Behaviour): Answer {
  const answer = chat({ ...body, messages: [{ role: 'user', content: body['prompt'] }] }, behaviour)
  if (answer.kind !== 'stream') return { ...answer, body: withResponse(objectOr(answer.body)) }
  const line = (event: StreamEvent): StreamEvent => ({
    ...event,
    data: JSON.stringify(withResponse(JSON.parse(event.data))),
  })
  return { ...answer, events: answer.events.map(line), last: answer.last && line(answer.last) }
}

const withResponse = ({ message, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  response: objectOr(message)['content'],
})
