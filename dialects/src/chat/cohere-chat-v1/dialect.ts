import { cohereChat } from '../cohere-chat/dialect'
import { samplingNames } from '../cohere-chat/known-names'
import type { Dialect } from '../../core/dialect'
import { knownNames, leaves } from '../../core/shared/known-names'
import { LinesForm } from '../../core/streaming/stream-forms'
import { failedStreamEnd, FirstEventWriter } from './events'
import { firstPrompt, readFirstRequest, withPreamble, asSecondVersion } from './request'
import { cohereError } from '../cohere-chat/errors'
import { readCall } from '../cohere-chat/read/call'
import type { ClientCodec } from '../../core/neutral/codec'

/** Cohere's first chat API: a message, and the talk before it. Only clients speak it. https://docs.cohere.com/v1/reference/chat */
export const cohereChatV1Codec: ClientCodec = {
  lacks: new Set(['thinking', 'redacted-thinking', 'signature', 'search', 'image', 'sound']),
  readCall(body, pathContext) {
    readFirstRequest(body, pathContext)
    const call = readCall(asSecondVersion(body), pathContext)
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

const encoder = new TextEncoder()
const call = leaves('name', 'parameters')
const result = { ...leaves('outputs'), call }

/** `POST /v1/chat`; only clients speak it. */
export const cohereChatV1: Dialect = {
  ...cohereChat,
  id: 'cohere-chat-v1',
  codec: { kind: 'chat', client: cohereChatV1Codec },
  names: knownNames({
    ...samplingNames,
    ...leaves('message', 'preamble', 'conversation_id', 'prompt_truncation', 'connectors', 'search_queries_only'),
    ...leaves('citation_quality', 'max_input_tokens', 'force_single_step'),
    chat_history: { ...leaves('role', 'message'), tool_calls: call, tool_results: result },
    tools: leaves('name', 'description', 'parameter_definitions'),
    tool_results: result,
    response_format: leaves('type', 'schema'),
  }),
  readRequest: readFirstRequest,
  readPrompt: firstPrompt,
  withSystemPrompt: withPreamble,
  streamForm: () => new LinesForm('application/stream+json'),
  errorEvent: (error) => encoder.encode(cohereChatV1Codec.eventText(failedStreamEnd(error))),
}
