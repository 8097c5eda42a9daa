import type { Dialect } from '../dialect'
import { embeddingDialect } from '../dialect-from-codec'
import { readAll } from '../neutral/piecewise'
import { objectOf } from '../neutral/read'
import { inputPrompt } from '../shared/prompt'
import { hasObjects } from '../shared/reported-failure'
import { dashScopeEmbeddingsCodec } from './codec'

const one = embeddingDialect(
  'dashscope-embeddings',
  dashScopeEmbeddingsCodec,
  ({ input }) => inputPrompt(objectOf(input), 'contents'),
  ({ output }) => hasObjects(objectOf(output)['embeddings']),
)

/** `POST /api/v1/services/embeddings/multimodal-embedding/multimodal-embedding`; only upstreams speak it. */
export const dashScopeEmbeddings: Dialect = { ...one, readAnswer: readAll(one.readAnswer) }
