import type { Dialect } from '../core/dialect'
import { embeddingDialect } from '../core/dialect-from-codec'
import { errorIn, readError, responseIn, withSnakeNames } from '../chat/hunyuan-chat'
import { inputPrompt } from '../core/shared/prompt'
import { textInputs, type UpstreamEmbeddingCodec, vectorsOf } from '../core/neutral/embedding'
import { objectOf, objectsOf } from '../core/neutral/read'
import { promptUsage } from '../core/shared/reported-usage'
import { readUsage } from '../core/shared/usage'

/** Tencent Cloud's `GetEmbedding`, of one model with vectors of one length. https://cloud.tencent.com/document/api/1729/102832 */
export const hunyuanEmbeddingsCodec: UpstreamEmbeddingCodec = {
  writeCall: (call, warn) => {
    if (call.title !== null) warn('the title')
    if (call.user !== null) warn('user')
    if (call.dimensions !== null) warn('dimensions')
    return { InputList: textInputs(call) }
  },

  readAnswer: (answer) => {
    const { data, usage } = objectOf(withSnakeNames(responseIn(answer)))
    return {
      model: '',
      vectors: vectorsOf(objectsOf(data).map(({ embedding }) => embedding)),
      usage: promptUsage(readUsage(usage)),
    }
  },
}

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
