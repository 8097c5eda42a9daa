import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { LinesForm } from '../../core/streaming/lines-form'
import { ollamaChatCodec } from './codec'
import { withOutputLimit, withSystemPrompt } from './edit'
import { ollamaError, ollamaErrorEvent } from './errors'
import { ollamaChatNames } from './known-names'
import { createTap } from './observe'
import { ollamaPrompt } from './prompt'
import { readOllamaRequest } from './request'
import { isOllamaAnswer } from './response'

/** `POST /api/chat`. */
export const ollamaChat: Dialect = {
  ...chatDialect('ollama-chat', ollamaChatCodec, isOllamaAnswer),
  codec: { kind: 'chat', client: ollamaChatCodec, upstream: ollamaChatCodec },
  names: ollamaChatNames,
  readRequest: readOllamaRequest,
  readPrompt: ollamaPrompt,
  withSystemPrompt,
  withOutputLimit,
  createTap,
  streamForm: () => new LinesForm('application/x-ndjson'),
  errorBody: ollamaError,
  errorEvent: ollamaErrorEvent,
}
