import { textlessDialect } from '../openai/textless-dialect'
import { readRerankAnswer } from './answer'
import { readRerankRequest, rerankPrompt } from './request'

/** `POST /v1/rerank`, in the shape that Jina, Cohere's first version and the servers of open models share. */
export const rerank = textlessDialect({
  id: 'rerank',
  readRequest: (body, place) => readRerankRequest(body, place.model || undefined),
  readPrompt: rerankPrompt,
  readAnswer: readRerankAnswer,
})
