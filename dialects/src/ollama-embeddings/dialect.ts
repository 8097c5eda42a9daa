import type { Dialect } from '../dialect'
import { embeddingDialect } from '../dialect-from-codec'
import { inputPrompt } from '../shared/prompt'
import { ollamaEmbeddingsCodec } from './codec'

/** `POST /api/embed`; only upstreams speak it. */
export const ollamaEmbeddings: Dialect = embeddingDialect(
  'ollama-embeddings',
  ollamaEmbeddingsCodec,
  (body) => inputPrompt(body, 'input'),
  ({ embeddings }) => Array.isArray(embeddings) && embeddings.length > 0,
)
