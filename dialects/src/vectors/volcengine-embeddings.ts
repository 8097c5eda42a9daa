import type { Dialect } from '../core/dialect'
import { embeddingDialect } from '../core/dialect-from-codec'
import { isObject } from '../core/json'
import { readsSeveral, answersIn, summedUsage } from '../core/shared/joined-responses'
import { inputPrompt } from '../core/shared/prompt'
import { hasObjects } from '../core/shared/reported-failure'
import { imageUrl, mixedInputs, type UpstreamEmbeddingCodec, vectorOf } from '../core/neutral/embedding'
import { objectOf, textOf, omitUndefined } from '../core/neutral/read'
import { promptUsage } from '../core/shared/reported-usage'
import { readUsage } from '../core/shared/usage'

/** Doubao's vectors of texts and pictures, one in a call: what is said in it becomes one vector. https://www.volcengine.com/docs/82379/1409290 */
export const volcEngineEmbeddingsCodec: UpstreamEmbeddingCodec = {
  writeCall: (call, warn) => {
    if (call.task !== null) warn('the task')
    if (call.title !== null) warn('the title')
    if (call.user !== null) warn('user')
    const input = mixedInputs(call).flatMap(({ parts }) =>
      parts.map((part) =>
        'text' in part
          ? { type: 'text', text: part.text }
          : { type: 'image_url', image_url: { url: imageUrl(part.image) } },
      ),
    )
    return omitUndefined({
      model: call.model,
      input,
      encoding_format: 'float',
      dimensions: call.dimensions ?? undefined,
    })
  },

  readAnswer: (answer) => {
    const answers = answersIn(answer)
    return {
      model: textOf(answers[0]?.['model']),
      vectors: answers.map(({ data }) => oneVector(data)),
      usage: summedUsage(answers.map(({ usage }) => promptUsage(readUsage(usage)))),
    }
  },
}

/** Older models put it into a list. */
function oneVector(data: unknown): readonly number[] {
  const { embedding } = objectOf(Array.isArray(data) ? data[0] : data)
  const [first] = Array.isArray(embedding) ? embedding : []
  return vectorOf(Array.isArray(first) ? first : embedding)
}

/** `POST /api/v3/embeddings/multimodal`; only upstreams speak it. */
export const volcEngineEmbeddings: Dialect = readsSeveral(
  embeddingDialect(
    'volcengine-embeddings',
    volcEngineEmbeddingsCodec,
    (body) => inputPrompt(body, 'input'),
    ({ data }) => isObject(data) || hasObjects(data),
  ),
)
