import type { Dialect } from '../../core/dialect'
import { readChatAnswer } from '../../core/shared/response'
import { collectTexts } from '../../core/shared/delta'
import { openAiError, openAiErrorEvent, readUpstreamError } from '../../core/shared/errors'
import { inputPrompt } from '../../core/shared/prompt'
import { chunkTap } from '../../core/shared/observe'
import { readCompletionRequest } from './request'
import { completionNames } from '../../core/shared/names'

const chunks = { object: 'text_completion', empty: { text: '', logprobs: null }, collect: collectTexts }

/** `POST /v1/completions`. */
export const openAiCompletions: Dialect = {
  id: 'openai-completions',
  names: completionNames,
  readRequest: (body, place) => readCompletionRequest(body, place.model || undefined),
  readPrompt: (body) => inputPrompt(body, 'prompt', 'suffix'),
  withOutputLimit: (body, tokens) => ({ ...body, max_tokens: tokens }),
  readAnswer: readChatAnswer,
  createTap: (options) => chunkTap(chunks, options),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
}
