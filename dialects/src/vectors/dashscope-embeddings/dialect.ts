import type { Dialect } from '../../core/dialect'
import { embeddingDialect } from '../../core/dialect-from-codec'
import { readsSeveral } from '../../core/shared/joined-embeddings'
import { objectOf } from '../../core/neutral/read'
import { inputPrompt } from '../../core/shared/prompt'
import { hasObjects } from '../../core/shared/reported-failure'
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
