import type { Dialect } from '../dialect'
import { embeddingDialect } from '../dialect-from-codec'
import { isObject } from '../json'
import { readAll } from '../neutral/piecewise'
import { inputPrompt } from '../shared/prompt'
import { hasObjects } from '../shared/reported-failure'
import { volcEngineEmbeddingsCodec } from './codec'

const one = embeddingDialect(
  'volcengine-embeddings',
  volcEngineEmbeddingsCodec,
  (body) => inputPrompt(body, 'input'),
  ({ data }) => isObject(data) || hasObjects(data),
)

/** `POST /api/v3/embeddings/multimodal`; only upstreams speak it. */
export const volcEngineEmbeddings: Dialect = { ...one, readAnswer: readAll(one.readAnswer) }
