import type { Dialect } from '../../core/dialect'
import { embeddingDialect } from '../../core/dialect-from-codec'
import { isObject } from '../../core/json'
import { readsSeveral } from '../../core/shared/joined-embeddings'
import { inputPrompt } from '../../core/shared/prompt'
import { hasObjects } from '../../core/shared/reported-failure'
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
