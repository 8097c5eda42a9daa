import type { Dialect } from '../dialect'
import { embeddingDialect } from '../dialect-from-codec'
import { inputPrompt } from '../shared/prompt'
import { cohereEmbeddingsCodec } from './codec'

/** `POST /v2/embed`; only upstreams speak it. */
export const cohereEmbeddings: Dialect = embeddingDialect(
  'cohere-embeddings',
  cohereEmbeddingsCodec,
  (body) => inputPrompt(body, 'texts'),
  ({ embeddings }) => typeof embeddings === 'object' && embeddings !== null,
)
