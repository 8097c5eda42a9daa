import type { Dialect } from '../core/dialect'
import { embeddingDialect } from '../core/dialect-from-codec'
import { inputPrompt } from '../core/shared/prompt'
import { hasObjects } from '../core/shared/reported-failure'
import { imageUrl, mixedInputs, type UpstreamEmbeddingCodec, vectorOf } from '../core/neutral/embedding'
import { numberOrNull, objectOf, objectsOf, textOf, omitUndefined } from '../core/neutral/read'
import { promptUsage } from '../core/shared/reported-usage'
import { readUsage } from '../core/shared/usage'

/** Voyage's vectors of texts and pictures. https://docs.voyageai.com/reference/multimodal-embeddings-api */
export const voyageEmbeddingsCodec: UpstreamEmbeddingCodec = {
  writeCall: (call, warn) => {
    if (call.title !== null) warn('the title')
    if (call.user !== null) warn('user')
    const kind = call.task === 'query' || call.task === 'document' ? call.task : undefined
    if (call.task !== null && kind === undefined) warn('the task')
    const { truncation } = call.own
    return omitUndefined({
      model: call.model,
      inputs: mixedInputs(call).map(({ parts }) => ({
        content: parts.map((part) =>
          'text' in part ? { type: 'text', text: part.text } : imageOf(imageUrl(part.image)),
        ),
      })),
      input_type: kind,
      output_dimension: call.dimensions ?? undefined,
      truncation: typeof truncation === 'boolean' ? truncation : undefined,
    })
  },

  readAnswer: (answer) => ({
    model: textOf(answer['model']),
    vectors: objectsOf(answer['data'])
      .toSorted((a, b) => (numberOrNull(a['index']) ?? 0) - (numberOrNull(b['index']) ?? 0))
      .map(({ embedding }) => vectorOf(embedding)),
    usage: usageOf(objectOf(answer['usage'])),
  }),
}

const imageOf = (url: string) =>
  url.startsWith('data:') ? { type: 'image_base64', image_base64: url } : { type: 'image_url', image_url: url }

/** Pixels are billed as tokens, which only the total has. */
function usageOf({ text_tokens: texts, total_tokens: total }: Readonly<Record<string, unknown>>) {
  const [all, reported] = [numberOrNull(total), numberOrNull(texts)]
  const images = all !== null && reported !== null && all > reported ? all - reported : 0
  return promptUsage(readUsage({ prompt_tokens: all, prompt_tokens_details: { image_tokens: images } }))
}

/** `POST /v1/multimodalembeddings`; only upstreams speak it. */
export const voyageEmbeddings: Dialect = embeddingDialect(
  'voyage-embeddings',
  voyageEmbeddingsCodec,
  (body) => inputPrompt(body, 'inputs'),
  ({ data }) => hasObjects(data),
)
