import type { Dialect } from '../dialect'
import { readTextlessAnswer } from '../openai/answer'
import { openAiError, openAiErrorEvent, readUpstreamError } from '../openai/errors'
import { inputPrompt } from '../openai/prompt'
import { OpenAiTap } from '../openai/tap'
import { readEmbeddingRequest } from './request'

const chunks = { object: 'list', collect: () => false }

/** `POST /v1/embeddings`. */
export const openAiEmbeddings: Dialect = {
  id: 'openai-embeddings',
  readRequest: (body, place) => readEmbeddingRequest(body, place.model || undefined),
  readPrompt: (body) => inputPrompt(body, 'input'),
  readAnswer: readTextlessAnswer,
  createTap: (options) => new OpenAiTap(chunks, options),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
}
