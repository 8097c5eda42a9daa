import { readTextlessAnswer } from '../openai/answer'
import { inputPrompt } from '../openai/prompt'
import { textlessDialect } from '../openai/textless-dialect'
import { readEmbeddingRequest } from './request'
import { embeddingNames } from '../openai/names'

/** `POST /v1/embeddings`. */
export const openAiEmbeddings = textlessDialect({
  id: 'openai-embeddings',
  names: embeddingNames,
  readRequest: (body, place) => readEmbeddingRequest(body, place.model || undefined),
  readPrompt: (body) => inputPrompt(body, 'input'),
  readAnswer: (answer) => readTextlessAnswer(answer, ['data']),
})
