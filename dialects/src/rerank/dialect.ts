import type { Dialect } from '../dialect'
import { openAiError, openAiErrorEvent, readUpstreamError } from '../openai/errors'
import { OpenAiTap } from '../openai/tap'
import { readRerankAnswer } from './answer'
import { readRerankRequest, rerankPrompt } from './request'

const chunks = { object: 'list', collect: () => false }

/** `POST /v1/rerank`, in the shape that Jina, Cohere's first version and the servers of open models share. */
export const rerank: Dialect = {
  id: 'rerank',
  readRequest: (body, place) => readRerankRequest(body, place.model || undefined),
  readPrompt: rerankPrompt,
  readAnswer: readRerankAnswer,
  createTap: (options) => new OpenAiTap(chunks, options),
  errorBody: openAiError,
  errorEvent: openAiErrorEvent,
  readError: readUpstreamError,
}
