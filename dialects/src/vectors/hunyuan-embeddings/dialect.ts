import type { Dialect } from '../../core/dialect'
import { embeddingDialect } from '../../core/dialect-from-codec'
import { errorIn, readError } from '../../chat/hunyuan-chat/errors'
import { responseIn } from '../../chat/hunyuan-chat/names'
import { inputPrompt } from '../../core/shared/prompt'
import { hunyuanEmbeddingsCodec } from './codec'

const common = embeddingDialect(
  'hunyuan-embeddings',
  hunyuanEmbeddingsCodec,
  (body) => inputPrompt(body, 'InputList'),
  (answer) => Array.isArray(responseIn(answer)['Data']),
)

/** The action `GetEmbedding` of 2023-09-01; only upstreams speak it. */
export const hunyuanEmbeddings: Dialect = {
  ...common,
  readAnswer: (answer) => {
    const view = common.readAnswer(answer)
    return { ...view, error: errorIn(answer) ?? view.error }
  },
  readError,
}
