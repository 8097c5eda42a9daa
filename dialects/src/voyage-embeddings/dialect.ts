import type { Dialect } from '../dialect'
import { embeddingDialect } from '../dialect-from-codec'
import { inputPrompt } from '../shared/prompt'
import { hasObjects } from '../shared/reported-failure'
import { voyageEmbeddingsCodec } from './codec'

/** `POST /v1/multimodalembeddings`; only upstreams speak it. */
export const voyageEmbeddings: Dialect = embeddingDialect(
  'voyage-embeddings',
  voyageEmbeddingsCodec,
  (body) => inputPrompt(body, 'inputs'),
  ({ data }) => hasObjects(data),
)
