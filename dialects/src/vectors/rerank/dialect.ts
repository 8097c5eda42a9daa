import { textlessDialect } from '../../core/shared/textless-dialect'
import { readRerankAnswer } from './response'
import { readRerankRequest, rerankPrompt } from './request'
import { rerankNames } from '../../core/shared/names'

/** `POST /v1/rerank`, in the shape that Jina, Cohere's first version and the servers of open models share. */
export const rerank = textlessDialect({
  id: 'rerank',
  names: rerankNames,
  readRequest: (body, place) => readRerankRequest(body, place.model || undefined),
  readPrompt: rerankPrompt,
  readAnswer: readRerankAnswer,
})
