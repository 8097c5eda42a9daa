import { cohereError } from '../cohere-chat/errors'
import { readCall } from '../cohere-chat/read/call'
import type { ClientCodec } from '../../core/neutral/codec'
import { FirstEventWriter } from './events'
import { asSecondVersion, readFirstRequest } from './request'

/** Cohere's first chat API: a message, and the talk before it. Only clients speak it. https://docs.cohere.com/v1/reference/chat */
export const cohereChatV1Codec: ClientCodec = {
  readCall(body, place) {
    readFirstRequest(body, place)
    const call = readCall(asSecondVersion(body), place)
    return { ...call, own: call.own && { ...call.own, dialect: 'cohere-chat-v1' } }
  },
  writeAnswer(events, answering) {
    const writer = new FirstEventWriter(answering)
    for (const event of events) writer.take(event)
    return writer.error ? cohereError(writer.error) : writer.response
  },
  createWriter(answering) {
    const writer = new FirstEventWriter(answering)
    return { write: (events) => events.flatMap((event) => writer.take(event)) }
  },
  eventText: (event) => `data: ${JSON.stringify(event)}\n\n`,
}
