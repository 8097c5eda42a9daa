import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { cohereChatCodec } from './codec'
import { withSystemPrompt } from '../openai-chat/edit'
import { cohereError, failedEnd } from './errors'
import { cohereChatNames } from './known-names'
import { createTap } from './observe'
import { coherePrompt } from './prompt'
import { readCohereRequest } from './request'
import { eventText } from './write/response'
import { isObject } from '../../core/json'

const encoder = new TextEncoder()

/** `POST /v2/chat`. */
export const cohereChat: Dialect = {
  ...chatDialect('cohere-chat', cohereChatCodec, ({ message }) => isObject(message)),
  codec: { kind: 'chat', client: cohereChatCodec, upstream: cohereChatCodec },
  names: cohereChatNames,
  readRequest: readCohereRequest,
  readPrompt: coherePrompt,
  withSystemPrompt,
  withOutputLimit: (body, tokens) => ({ ...body, max_tokens: tokens }),
  createTap,
  errorBody: cohereError,
  errorEvent: (error) => encoder.encode(eventText(failedEnd(error))),
}
