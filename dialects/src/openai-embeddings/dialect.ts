import { readTextlessAnswer } from '../shared/response'
import { inputPrompt } from '../shared/prompt'
import { textlessDialect } from '../shared/textless-dialect'
import { readEmbeddingRequest } from './request'
import { embeddingNames } from '../shared/names'

/** `POST /v1/embeddings`. */
export const openAiEmbeddings = textlessDialect({
  id: 'openai-embeddings',
  names: embeddingNames,
  readRequest: (body, place) => readEmbeddingRequest(body, place.model || undefined),
  readPrompt: (body) => inputPrompt(body, 'input'),
  readAnswer: (answer) => readTextlessAnswer(answer, ['data']),
})
