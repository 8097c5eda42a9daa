import type { Dialect } from '../../core/dialect'
import { embeddingDialect } from '../../core/dialect-from-codec'
import { inputPrompt } from '../../core/shared/prompt'
import { hasObjects } from '../../core/shared/reported-failure'
import { voyageEmbeddingsCodec } from './codec'

/** `POST /v1/multimodalembeddings`; only upstreams speak it. */
export const voyageEmbeddings: Dialect = embeddingDialect(
  'voyage-embeddings',
  voyageEmbeddingsCodec,
  (body) => inputPrompt(body, 'inputs'),
  ({ data }) => hasObjects(data),
)
