import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { cohereChatCodec } from './codec'
import { withOutputLimit, withSystemPrompt } from './edit'
import { cohereError, failedEnd } from './errors'
import { cohereChatNames } from './known-names'
import { createTap } from './observe'
import { coherePrompt } from './prompt'
import { readCohereRequest } from './request'
import { isCohereAnswer } from './response'
import { eventText } from './write/response'

const encoder = new TextEncoder()

/** `POST /v2/chat`. */
export const cohereChat: Dialect = {
  ...chatDialect('cohere-chat', cohereChatCodec, isCohereAnswer),
  codec: { kind: 'chat', client: cohereChatCodec, upstream: cohereChatCodec },
  names: cohereChatNames,
  readRequest: readCohereRequest,
  readPrompt: coherePrompt,
  withSystemPrompt,
  withOutputLimit,
  createTap,
  errorBody: cohereError,
  errorEvent: (error) => encoder.encode(eventText(failedEnd(error))),
}
