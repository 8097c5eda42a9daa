import type { Dialect } from '../dialect'
import { readUpstreamError } from '../openai/errors'
import { anthropicTier } from '../tier'
import { readMessage } from './answer'
import { anthropicError, errorEventText } from './errors'
import { messagesPrompt } from './prompt'
import { withSystemPrompt } from './system-prompt'
import { readCountTokensRequest, readMessagesRequest } from './request'
import { AnthropicTap } from './tap'
import { messagesNames } from './names'

const encoder = new TextEncoder()

/** `POST /v1/messages`, version 2023-06-01. */
export const anthropicMessages: Dialect = {
  id: 'anthropic-messages',
  names: messagesNames,
  readRequest: (body, place) => readMessagesRequest(body, place.model || undefined),
  readPrompt: messagesPrompt,
  withSystemPrompt,
  tier: anthropicTier,
  headers: ['anthropic-version', 'anthropic-beta'],
  readAnswer: readMessage,
  createTap: () => new AnthropicTap(),
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
