import type { Dialect } from '../../core/dialect'
import { isNumbers } from '../../core/neutral/vectors'
import { sharedList } from '../../core/shared/joined-embeddings'
import { readTextlessAnswer } from '../../core/shared/response'
import { inputPrompt } from '../../core/shared/prompt'
import { textlessDialect } from '../../core/shared/textless-dialect'
import { openAiEmbeddingsCodec } from './codec'
import { readEmbeddingRequest } from './request'
import { embeddingNames } from '../../core/shared/names'

/** `POST /v1/embeddings`. */
export const openAiEmbeddings: Dialect = {
  codec: { kind: 'embeddings', client: openAiEmbeddingsCodec, upstream: openAiEmbeddingsCodec },
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
