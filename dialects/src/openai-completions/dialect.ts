import type { Dialect } from '../dialect'
import { readChatAnswer } from '../shared/response'
import { collectTexts } from '../shared/delta'
import { openAiError, openAiErrorEvent, readUpstreamError } from '../shared/errors'
import { inputPrompt } from '../shared/prompt'
import { chunkTap } from '../shared/observe'
import { readCompletionRequest } from './request'
import { completionNames } from '../shared/names'

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
