import type { Dialect } from '../../core/dialect'
import { embeddingDialect } from '../../core/dialect-from-codec'
import { isObject } from '../../core/json'
import { readsSeveral } from '../../core/shared/joined-embeddings'
import { inputPrompt } from '../../core/shared/prompt'
import { hasObjects } from '../../core/shared/reported-failure'
import { vertexEmbeddingsCodec } from './codec'

/** `:predict` and `:embedContent` of Google Cloud; only upstreams speak it. */
export const vertexEmbeddings: Dialect = readsSeveral(
  embeddingDialect(
    'vertex-embeddings',
    vertexEmbeddingsCodec,
    (body) => inputPrompt(body, 'instances', 'content'),
    ({ predictions, embedding }) => hasObjects(predictions) || isObject(embedding),
  ),
)
