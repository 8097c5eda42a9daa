import type { Dialect } from '../../core/dialect'
import { anthropicMessagesCodec } from './codec'
import { PassingTap } from '../../core/streaming/passing-tap'
import { readUpstreamError } from '../../core/shared/errors'
import { anthropicServiceTier } from '../../core/shared/service-tier'
import { readMessage } from './response'
import { anthropicError, errorEventText } from './errors'
import { messagesPrompt } from './prompt'
import { readCountTokensRequest, readMessagesRequest } from './request'
import { AnthropicObserver } from './observe'
import { messagesNames } from './known-names'
import type { JsonObject } from '../../core/json'

const encoder = new TextEncoder()

/** `POST /v1/messages`, version 2023-06-01. */
export const anthropicMessages: Dialect = {
  id: 'anthropic-messages',
  codec: { kind: 'chat', client: anthropicMessagesCodec, upstream: anthropicMessagesCodec },
  names: messagesNames,
  readRequest: (body, pathContext) => readMessagesRequest(body, pathContext.model || undefined),
  readPrompt: messagesPrompt,
  withSystemPrompt,
  serviceTier: anthropicServiceTier,
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

/** The body with these instructions when it has none; with `isFirst` also before its own. */
function withSystemPrompt(body: JsonObject, text: string, isFirst: boolean): JsonObject {
  const own = body['system']
  if (text === '') return body
  if (own === undefined || own === null || own === '' || (Array.isArray(own) && own.length === 0))
    return { ...body, system: text }
  if (!isFirst) return body
  return {
    ...body,
    system: Array.isArray(own)
      ? [{ type: 'text', text }, ...own]
      : [text, own].filter((part) => typeof part === 'string').join('\n'),
  }
}
