import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { LinesForm } from '../../core/streaming/stream-forms'
import { ollamaChatCodec } from './codec'
import { withSystemPrompt } from '../openai-chat/edit'
import { ollamaError, ollamaErrorEvent } from './errors'
import { ollamaChatNames } from './known-names'
import { createTap } from './observe'
import { ollamaPrompt } from './prompt'
import { readOllamaRequest } from './request'
import { objectOf } from '../../core/neutral/read'
import { isObject } from '../../core/json'

/** `POST /api/chat`. */
export const ollamaChat: Dialect = {
  ...chatDialect('ollama-chat', ollamaChatCodec, ({ message }) => isObject(message)),
  codec: { kind: 'chat', client: ollamaChatCodec, upstream: ollamaChatCodec },
  names: ollamaChatNames,
  readRequest: readOllamaRequest,
  readPrompt: ollamaPrompt,
  withSystemPrompt,
  withOutputLimit: (body, tokens) => ({ ...body, options: { ...objectOf(body['options']), num_predict: tokens } }),
  createTap,
  streamForm: () => new LinesForm('application/x-ndjson'),
  errorBody: ollamaError,
  errorEvent: ollamaErrorEvent,
}
