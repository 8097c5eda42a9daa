import type { Dialect } from '../dialect'
import { embeddingDialect } from '../dialect-from-codec'
import { readsSeveral } from '../shared/joined-embeddings'
import { objectOf } from '../neutral/read'
import { inputPrompt } from '../shared/prompt'
import { hasObjects } from '../shared/reported-failure'
import { dashScopeEmbeddingsCodec } from './codec'

/** `POST /api/v1/services/embeddings/multimodal-embedding/multimodal-embedding`; only upstreams speak it. */
export const dashScopeEmbeddings: Dialect = readsSeveral(
  embeddingDialect(
    'dashscope-embeddings',
    dashScopeEmbeddingsCodec,
    ({ input }) => inputPrompt(objectOf(input), 'contents'),
    ({ output }) => hasObjects(objectOf(output)['embeddings']),
  ),
)
