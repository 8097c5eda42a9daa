import type { Dialect } from '../dialect'
import { embeddingDialect } from '../dialect-from-codec'
import { isObject } from '../json'
import { readsSeveral } from '../shared/joined-embeddings'
import { inputPrompt } from '../shared/prompt'
import { hasObjects } from '../shared/reported-failure'
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
