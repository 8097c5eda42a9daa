import type { Dialect } from '../../core/dialect'
import { isObject, type JsonObject } from '../../core/json'
import { objectsOf, textOf, numberOrNull, readDataUrl, textOrNull, omitUndefined } from '../../core/neutral/read'
import { seedForShare, sumMembers } from '../../core/shared/joined-responses'
import { imageNames } from '../../core/shared/names'
import { textlessDialect } from '../../core/dialect-from-codec'
import { PassingTap } from '../../core/streaming/passing-tap'
import { ImagesObserver } from './observe'
import { countNames, imagePrompt, readImageRequest, readImageFormat } from './request'
import { imagesIn, readImageAnswer } from './response'
import type { Source } from '../../core/neutral/call'
import {
  addressOf,
  imageAt,
  type ImageCodec,
  imageData,
  type NeutralImage,
  type NeutralImageCall,
} from '../../core/neutral/image'
import { readUsage } from '../../core/shared/usage'
import { noUsage, type Usage } from '../../core/usage'

/** OpenAI's image calls, without edits as multipart. https://platform.openai.com/docs/api-reference/images */
export const openAiImagesCodec: ImageCodec = {
  readCall: (body, pathContext) => {
    const { model, choices } = readImageRequest(body, pathContext.model || undefined)
    return readNeutralCall(body, { model, count: choices })
  },

  unreadOptions: (body) => [
    ...ownOptions.filter((name) => isChosen(body[name])),
    ...(Number(body['partial_images'] ?? 0) > 0 ? ['partial_images'] : []),
  ],

  writeCall: (call) =>
    omitUndefined({
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
      images: call.images.length === 0 ? undefined : call.images.map(writeSource),
      mask: call.mask ? writeSource(call.mask) : undefined,
    }),

  readAnswer: (answer) => ({
    images: imagesIn(answer).map(readImage),
    usage: readUsage(answer['usage']),
    size: textOrNull(answer['size']),
    quality: textOrNull(answer['quality']),
    refusal: null,
  }),

  writeAnswer: ({ images, usage, size, quality }, { now }) =>
    omitUndefined({
      created: now,
      data: images.map(writeImage),
      size: size ?? undefined,
      quality: quality ?? undefined,
      usage: usage && isReported(usage) ? usageBody(usage) : undefined,
    }),

  writeStream: streamOf('image_generation.completed'),
}

const isChosen = (value: unknown): boolean => value !== undefined && value !== null && value !== '' && value !== 'auto'

/** Options that no other vendor knows. */
const ownOptions = [
  'style',
  'moderation',
  'input_fidelity',
  'complexity',
  'frame_count',
  'frame_duration_ms',
  'markup',
  'svg',
] as const

/** Some clients name the resolution in a member of its own. */
function readFormat(body: JsonObject): ReturnType<typeof readImageFormat> {
  const format = readImageFormat(body)
  return { ...format, size: format.size ?? textOrNull(body['image_size']) }
}

const dropAuto = (value: unknown): string | null => (value === 'auto' ? null : textOrNull(value))

function readSource(image: JsonObject): Source[] {
  const [url, id] = [textOf(image['image_url']), textOf(image['file_id'])]
  if (url === '') return id === '' ? [] : [{ kind: 'id', id }]
  const inline = readDataUrl(url)
  return [inline ? { kind: 'data', ...inline } : { kind: 'url', url }]
}

const writeSource = (source: Source): JsonObject =>
  source.kind === 'id' ? { file_id: source.id } : { image_url: addressOf(source) }

function readImage(image: JsonObject): NeutralImage {
  const data = textOf(image['b64_json'])
  const revisedPrompt = textOrNull(image['revised_prompt'])
  return data === '' ? { ...imageAt(textOf(image['url'])), revisedPrompt } : imageData(data, undefined, revisedPrompt)
}

const writeImage = ({ source, revisedPrompt }: NeutralImage): JsonObject =>
  omitUndefined({
    ...(source.kind === 'data' ? { b64_json: source.data } : { url: source.url }),
    revised_prompt: revisedPrompt ?? undefined,
  })

const isReported = ({ promptTokens, completionTokens }: Usage): boolean => promptTokens + completionTokens > 0

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
    background: dropAuto(body['background']),
    format: textOrNull(body['output_format']),
    compression: numberOrNull(body['output_compression']),
    negativePrompt: textOrNull(body['negative_prompt']),
    seed: numberOrNull(body['seed']),
    isInline: format === null ? null : format === 'b64_json',
    images: objectsOf(body['images']).flatMap(readSource),
    mask: isObject(body['mask']) ? (readSource(body['mask'])[0] ?? null) : null,
    user: textOrNull(body['user'] ?? body['safety_identifier']),
  }
}

/** Writes an event for each image. The first one reports the usage of all. */
export function streamOf(type: string): NonNullable<ImageCodec['writeStream']> {
  return ({ images, usage, size, quality }, { now }) =>
    images
      .map((image, index) => {
        const used = usage && isReported(usage) ? usageBody(index === 0 ? usage : noUsage) : undefined
        const drawn = { created_at: now, size: size ?? undefined, quality: quality ?? undefined }
        const event = omitUndefined({ type, ...writeImage(image), ...drawn, usage: used })
        return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`
      })
      .join('')
}

/** As much as the gateway reads of a whole response. */
const maxImageBytes = 64 * 1024 * 1024

/** `POST /v1/images/generations`. */
export const openAiImages: Dialect = {
  ...textlessDialect({
    id: 'openai-images',
    names: imageNames,
    readRequest: (body, pathContext) => readImageRequest(body, pathContext.model || undefined),
    readPrompt: imagePrompt,
    readAnswer: readImageAnswer,
  }),
  codec: { kind: 'images', client: openAiImagesCodec, upstream: openAiImagesCodec },
  createTap: () => new PassingTap(new ImagesObserver(), maxImageBytes),
  isBulky: true,
  withShare: (body, share) => {
    const dropped: readonly string[] = ['stream', 'partial_images', ...countNames]
    const rest = Object.entries(body).filter(([name]) => !dropped.includes(name))
    return { ...Object.fromEntries(rest), n: share.count, ...seedForShare(body['seed'], share) }
  },
  joinAnswers: (answers) => {
    const [{ images: _, ...first } = {}] = answers
    const usages = answers.map(({ usage }) => usage).filter(isObject)
    return { ...first, data: answers.flatMap(imagesIn), ...(usages.length > 0 && { usage: sumMembers(usages) }) }
  },
  inlining: {
    isRequested: (request) => request['response_format'] === 'b64_json',
    // An outline of images that are there already must not be written again.
    addressesIn: ({ data }) =>
      objectsOf(data).some(({ b64_json: inline }) => textOf(inline) !== '')
        ? []
        : objectsOf(data)
            .map(({ url }) => textOf(url))
            .filter((url) => url !== ''),
    insertImages: (answer, images) => ({
      ...answer,
      data: objectsOf(answer['data']).map((image) => withImage(image, images)),
    }),
  },
}

function withImage({ url, ...image }: JsonObject, images: ReadonlyMap<string, string>): JsonObject {
  const data = images.get(textOf(url))
  return data === undefined ? { url, ...image } : { ...image, b64_json: data }
}
