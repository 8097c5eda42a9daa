import type { Dialect } from '../../core/dialect'
import { anthropicMessagesCodec } from './codec'
import { PassingTap } from '../../core/streaming/passing-tap'
import { readUpstreamError } from '../../core/shared/errors'
import { anthropicTier } from '../../core/shared/tier'
import { readMessage } from './response'
import { anthropicError, errorEventText } from './errors'
import { messagesPrompt } from './prompt'
import { withSystemPrompt } from './edit'
import { readCountTokensRequest, readMessagesRequest } from './request'
import { AnthropicObserver } from './observe'
import { messagesNames } from './known-names'

const encoder = new TextEncoder()

/** `POST /v1/messages`, version 2023-06-01. */
export const anthropicMessages: Dialect = {
  id: 'anthropic-messages',
  codec: { kind: 'chat', client: anthropicMessagesCodec, upstream: anthropicMessagesCodec },
  names: messagesNames,
  readRequest: (body, place) => readMessagesRequest(body, place.model || undefined),
  readPrompt: messagesPrompt,
  withSystemPrompt,
  tier: anthropicTier,
  headers: ['anthropic-version', 'anthropic-beta'],
  readAnswer: readMessage,
  createTap: () => new PassingTap(new AnthropicObserver()),
  count: {
    read: (body, { model }) => ({
      model: readCountTokensRequest(body, model || undefined).model,
      prompt: messagesPrompt(body),
    }),
    write: (tokens) => ({ input_tokens: tokens }),
  },
  errorBody: anthropicError,
  errorEvent: (error) => encoder.encode(errorEventText(error)),
  readError: readUpstreamError,
}
