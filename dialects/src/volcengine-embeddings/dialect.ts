import type { Dialect } from '../dialect'
import { embeddingDialect } from '../dialect-from-codec'
import { isObject } from '../json'
import { readsSeveral } from '../shared/joined-embeddings'
import { inputPrompt } from '../shared/prompt'
import { hasObjects } from '../shared/reported-failure'
import { volcEngineEmbeddingsCodec } from './codec'

/** `POST /api/v3/embeddings/multimodal`; only upstreams speak it. */
export const volcEngineEmbeddings: Dialect = readsSeveral(
  embeddingDialect(
    'volcengine-embeddings',
    volcEngineEmbeddingsCodec,
    (body) => inputPrompt(body, 'input'),
    ({ data }) => isObject(data) || hasObjects(data),
  ),
)
