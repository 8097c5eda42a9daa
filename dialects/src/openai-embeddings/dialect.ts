import type { Dialect } from '../dialect'
import { isNumbers } from '../neutral/vectors'
import { sharedList } from '../shared/joined-embeddings'
import { readTextlessAnswer } from '../shared/response'
import { inputPrompt } from '../shared/prompt'
import { textlessDialect } from '../shared/textless-dialect'
import { readEmbeddingRequest } from './request'
import { embeddingNames } from '../shared/names'

/** `POST /v1/embeddings`. */
export const openAiEmbeddings: Dialect = {
  countInputs: ({ input }) => (isNumbers(input) || !Array.isArray(input) ? 1 : input.length),
  withShare: (body, share) => ({ ...body, input: sharedList(body['input'], share) }),
  ...textlessDialect({
    id: 'openai-embeddings',
    names: embeddingNames,
    readRequest: (body, place) => readEmbeddingRequest(body, place.model || undefined),
    readPrompt: (body) => inputPrompt(body, 'input'),
    readAnswer: (answer) => readTextlessAnswer(answer, ['data']),
  }),
}
