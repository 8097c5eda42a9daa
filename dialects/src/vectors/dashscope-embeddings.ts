import type { Dialect } from '../core/dialect'
import { embeddingDialect } from '../core/dialect-from-codec'
import { readsSeveral, answersIn, summedUsage } from '../core/shared/joined-responses'
import { objectOf, numberOrNull, objectsOf, textOf, omitUndefined } from '../core/neutral/read'
import { inputPrompt } from '../core/shared/prompt'
import { hasObjects } from '../core/shared/reported-failure'
import { type JsonObject, isObject } from '../core/json'
import {
  imageUrl,
  type MixedInput,
  mixedInputs,
  type UpstreamEmbeddingCodec,
  vectorOf,
} from '../core/neutral/embedding'
import { promptUsage } from '../core/shared/reported-usage'
import { readUsage } from '../core/shared/usage'
import type { ReportedUsage } from '../core/usage'

/** Fuses all that a call contains, unasked. */
const fuses = /^qwen2\.5-vl-embedding/
/** Fuses where it is told to; others fuse what stands in one object. */
const fusesOnRequest = /^qwen3-vl-embedding/

/** Whether all that stands in a call becomes one vector, so that several inputs need several calls. */
export const fusesAll = (model: string, isMixed: boolean): boolean =>
  fuses.test(model) || (isMixed && fusesOnRequest.test(model))

/**
 * Model Studio's vectors of texts and pictures.
 * https://help.aliyun.com/zh/model-studio/multimodal-embedding-api-reference
 */
export const dashScopeEmbeddingsCodec: UpstreamEmbeddingCodec = {
  writeCall: (call, warn) => {
    if (call.task !== null) warn('the task')
    if (call.title !== null) warn('the title')
    if (call.user !== null) warn('user')
    const all = mixedInputs(call)
    const isFused = all.some(({ parts }) => parts.length > 1)
    const parameters = omitUndefined({
      dimension: call.dimensions ?? undefined,
      enable_fusion: isFused && fusesOnRequest.test(call.model) ? true : undefined,
    })
    return omitUndefined({
      model: call.model,
      input: { contents: all.flatMap((input) => contentsOf(input, call.model)) },
      parameters: Object.keys(parameters).length > 0 ? parameters : undefined,
    })
  },

  readAnswer: (answer) => {
    const answers = answersIn(answer)
    return {
      model: textOf(answers[0]?.['model']),
      vectors: answers.flatMap(({ output }) => vectorsIn(objectOf(output))),
      usage: summedUsage(answers.map(({ usage }) => usageOf(usage))),
    }
  },
}

function contentsOf({ parts }: MixedInput, model: string): JsonObject[] {
  const written = parts.map((part): JsonObject =>
    'text' in part ? { text: part.text } : { image: imageUrl(part.image) },
  )
  if (written.length <= 1 || fuses.test(model) || fusesOnRequest.test(model)) return written
  const text = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
  const images = parts.flatMap((part) => ('image' in part ? [imageUrl(part.image)] : []))
  const [image, ...more] = images
  const imageMembers = more.length > 0 ? { multi_images: images } : image === undefined ? {} : { image }
  return [{ ...(text !== '' && { text }), ...imageMembers }]
}

const vectorsIn = ({ embeddings }: JsonObject): (readonly number[])[] =>
  objectsOf(embeddings)
    .toSorted((a, b) => (numberOrNull(a['index']) ?? 0) - (numberOrNull(b['index']) ?? 0))
    .map(({ embedding }) => vectorOf(embedding))

/** With details the pictures are part of the input, without them they stand next to it. */
function usageOf(usage: unknown): ReportedUsage | null {
  const { input_tokens: input, input_tokens_details: details, image_tokens: images } = objectOf(usage)
  if (isObject(details)) return promptUsage(readUsage({ input_tokens: input, input_tokens_details: details }))
  const total = (numberOrNull(input) ?? 0) + (numberOrNull(images) ?? 0)
  return promptUsage(readUsage({ input_tokens: total, input_tokens_details: { image_tokens: images } }))
}

/** `POST /api/v1/services/embeddings/multimodal-embedding/multimodal-embedding`; only upstreams speak it. */
export const dashScopeEmbeddings: Dialect = readsSeveral(
  embeddingDialect(
    'dashscope-embeddings',
    dashScopeEmbeddingsCodec,
    ({ input }) => inputPrompt(objectOf(input), 'contents'),
    ({ output }) => hasObjects(objectOf(output)['embeddings']),
  ),
)
