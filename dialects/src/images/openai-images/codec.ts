import { isObject, type JsonObject } from '../../core/json'
import type { Source } from '../../core/neutral/call'
import { imageAt, imageData, type ImageCodec, type NeutralImage, type NeutralImageCall } from '../../core/neutral/image'
import { numberOrNull, objectsOf, readDataUrl, textOf, textOrNull, written } from '../../core/neutral/read'
import { addressOf } from '../../core/neutral/source-address'
import { readUsage } from '../../core/shared/usage'
import { noUsage, type Usage } from '../../core/usage'
import { readImageFormat, readImageRequest } from './request'
import { imagesIn } from './response'

/** OpenAI's image calls, without edits as multipart. https://platform.openai.com/docs/api-reference/images */
export const openAiImagesCodec: ImageCodec = {
  readCall: (body, place) => {
    const { model, choices } = readImageRequest(body, place.model || undefined)
    return readNeutralCall(body, { model, count: choices })
  },

  writeCall: (call) =>
    written({
      model: call.model,
      prompt: call.prompt,
      n: call.count,
      size: call.size ?? undefined,
      aspect_ratio: call.aspectRatio ?? undefined,
      quality: call.quality ?? undefined,
      background: call.background ?? undefined,
      output_format: call.format ?? undefined,
      output_compression: call.compression ?? undefined,
      negative_prompt: call.negativePrompt ?? undefined,
      seed: call.seed ?? undefined,
      user: call.user ?? undefined,
      images: call.images.length === 0 ? undefined : call.images.map((source) => ({ image_url: addressOf(source) })),
      mask: call.mask ? { image_url: addressOf(call.mask) } : undefined,
    }),

  readAnswer: (answer) => ({
    images: imagesIn(answer).map(readImage),
    usage: readUsage(answer['usage']),
    size: textOrNull(answer['size']),
    quality: textOrNull(answer['quality']),
    refusal: null,
  }),

  writeAnswer: ({ images, usage, size, quality }, { now }) =>
    written({
      created: now,
      data: images.map(writeImage),
      size: size ?? undefined,
      quality: quality ?? undefined,
      usage: usage && isTold(usage) ? usageBody(usage) : undefined,
    }),

  writeStream: streamOf('image_generation.completed'),
}

/** Some clients name the resolution in a member of its own. */
function readFormat(body: JsonObject): ReturnType<typeof readImageFormat> {
  const format = readImageFormat(body)
  return { ...format, size: format.size ?? textOrNull(body['image_size']) }
}

const chosen = (value: unknown): string | null => (value === 'auto' ? null : textOrNull(value))

function readSource(image: JsonObject): Source[] {
  const [url, id] = [textOf(image['image_url']), textOf(image['file_id'])]
  if (url === '') return id === '' ? [] : [{ kind: 'id', id }]
  const inline = readDataUrl(url)
  return [inline ? { kind: 'data', ...inline } : { kind: 'url', url }]
}

function readImage(image: JsonObject): NeutralImage {
  const data = textOf(image['b64_json'])
  const revisedPrompt = textOrNull(image['revised_prompt'])
  return data === '' ? { ...imageAt(textOf(image['url'])), revisedPrompt } : imageData(data, undefined, revisedPrompt)
}

const writeImage = ({ source, revisedPrompt }: NeutralImage): JsonObject =>
  written({
    ...(source.kind === 'data' ? { b64_json: source.data } : { url: source.url }),
    revised_prompt: revisedPrompt ?? undefined,
  })

const isTold = ({ promptTokens, completionTokens }: Usage): boolean => promptTokens + completionTokens > 0

const usageBody = ({ promptTokens, completionTokens, imageTokens }: Usage): JsonObject => ({
  input_tokens: promptTokens,
  output_tokens: completionTokens,
  total_tokens: promptTokens + completionTokens,
  input_tokens_details: { text_tokens: promptTokens - imageTokens, image_tokens: imageTokens },
})

/** Reads the members that requests for images and for edits have in common. */
export function readNeutralCall(body: JsonObject, read: Pick<NeutralImageCall, 'model' | 'count'>): NeutralImageCall {
  const format = textOrNull(body['response_format'])
  return {
    ...read,
    prompt: textOf(body['prompt']),
    ...readFormat(body),
    aspectRatio: textOrNull(body['aspect_ratio']),
    background: chosen(body['background']),
    format: textOrNull(body['output_format']),
    compression: numberOrNull(body['output_compression']),
    negativePrompt: textOrNull(body['negative_prompt']),
    seed: numberOrNull(body['seed']),
    isInline: format === null ? null : format === 'b64_json',
    images: objectsOf(body['images']).flatMap(readSource),
    mask: isObject(body['mask']) ? (readSource(body['mask'])[0] ?? null) : null,
    user: textOrNull(body['user']),
  }
}

/** Writes an event for each image. The first one reports the usage of all. */
export function streamOf(type: string): NonNullable<ImageCodec['writeStream']> {
  return ({ images, usage, size, quality }, { now }) =>
    images
      .map((image, index) => {
        const used = usage && isTold(usage) ? usageBody(index === 0 ? usage : noUsage) : undefined
        const drawn = { created_at: now, size: size ?? undefined, quality: quality ?? undefined }
        const event = written({ type, ...writeImage(image), ...drawn, usage: used })
        return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`
      })
      .join('')
}
