import { cohereChat } from '../cohere-chat/dialect'
import { samplingNames } from '../cohere-chat/known-names'
import type { Dialect } from '../../core/dialect'
import { knownNames, leaves } from '../../core/shared/known-names'
import { LinesForm } from '../../core/streaming/lines-form'
import { cohereChatV1Codec } from './codec'
import { failedStreamEnd } from './events'
import { firstPrompt, readFirstRequest, withPreamble } from './request'

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
