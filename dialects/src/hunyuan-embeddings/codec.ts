import type { UpstreamEmbeddingCodec } from '../neutral/embedding'
import { objectOf, objectsOf } from '../neutral/read'
import { textInputs, vectorsOf } from '../neutral/vectors'
import { responseIn, withSnakeNames } from '../hunyuan-chat/names'
import { promptUsage } from '../shared/reported-usage'
import { readUsage } from '../shared/usage'

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
