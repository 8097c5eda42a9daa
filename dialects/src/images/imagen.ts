import type { Dialect } from '../core/dialect'
import { imageDialect } from '../core/dialect-from-codec'
import { errorEventText, geminiError, readError } from '../chat/gemini/errors'
import { nameIn, member, memberObject } from '../core/shared/google-members'
import { type JsonObject, isObject } from '../core/json'
import { objectOf, objectsOf, textOf, numberOrNull, textOrNull, omitUndefined } from '../core/neutral/read'
import { predictNames } from '../chat/gemini/known-names'
import { seedForShare } from '../core/shared/joined-responses'
import {
  type ImageCodec,
  imageData,
  type NeutralImageCall,
  noImages,
  requireInline,
  warnOf,
} from '../core/neutral/image'
import { aspectRatioOf, isResolution, resolutionOf } from '../core/neutral/image-size'
import type { Source } from '../core/neutral/call'
import { maskFor } from '../core/shared/edit-mask'
import type { PathContext, PromptShape, RequestView } from '../core/views'
import { DialectError } from '../core/dialect-error'
import { maxImageTokens } from './openai-images/request'
import { missing, readChoices, readModel, wrongType } from '../core/shared/fields'
import { inputPrompt } from '../core/shared/prompt'

const ratios = ['1:1', '3:4', '4:3', '9:16', '16:9']
const formats: ReadonlySet<string> = new Set(['png', 'jpeg'])

/** Without the underscores that some clients write. */
const readParameters: ReadonlySet<string> = new Set([
  'samplecount',
  'sampleimagesize',
  'aspectratio',
  'negativeprompt',
  'seed',
  'outputoptions',
])

/**
 * Imagen's `:predict` at Gemini's API and Vertex AI.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api
 */
const imagenCodec: ImageCodec = {
  readCall: (body, pathContext) => {
    const { model, choices } = readPredictRequest(body, pathContext)
    const instance = objectOf(objectsOf(body['instances'])[0])
    const parameters = objectOf(body['parameters'])
    const output = memberObject(parameters, 'outputOptions')
    return {
      model,
      prompt: textOf(instance['prompt']),
      count: choices,
      size: textOrNull(member(parameters, 'sampleImageSize')),
      aspectRatio: textOrNull(member(parameters, 'aspectRatio')),
      quality: null,
      background: null,
      format: textOf(member(output, 'mimeType')).replace('image/', '') || null,
      compression: numberOrNull(member(output, 'compressionQuality')),
      negativePrompt: textOrNull(member(parameters, 'negativePrompt')),
      seed: numberOrNull(parameters['seed']),
      isInline: true,
      ...readImages(instance),
      user: null,
    }
  },

  unreadOptions: (body) =>
    Object.keys(objectOf(body['parameters'])).filter(
      (name) => !readParameters.has(name.replaceAll('_', '').toLowerCase()),
    ),

  writeCall: (call, warn) => {
    warnOf(call, ['background', 'user'], warn)
    if (!isResolution(call.quality) && call.quality !== 'hd') warnOf(call, ['quality'], warn)
    const hasFormat = call.format === null || formats.has(call.format)
    if (!hasFormat) warnOf(call, ['format'], warn)
    const resolution = resolutionOf(call) ?? (call.quality === 'hd' ? '2K' : null)
    if (resolution === '4K') warn('pictures in 4K')
    if (call.images.length > 1) warn('images after the first')
    const outputOptions = omitUndefined({
      mimeType: hasFormat && call.format !== null ? `image/${call.format}` : undefined,
      compressionQuality: call.compression ?? undefined,
    })
    return {
      instances: [
        omitUndefined({
          prompt: call.prompt,
          referenceImages: call.images.length > 0 ? writeReferences(call) : undefined,
        }),
      ],
      parameters: omitUndefined({
        sampleCount: call.count,
        editMode: call.images.length > 0 && call.mask ? 'EDIT_MODE_INPAINT_INSERTION' : undefined,
        aspectRatio: aspectRatioOf(call, ratios) ?? undefined,
        sampleImageSize: resolution === '4K' ? '2K' : (resolution ?? undefined),
        negativePrompt: call.negativePrompt ?? undefined,
        seed: call.seed ?? undefined,
        outputOptions: Object.keys(outputOptions).length > 0 ? outputOptions : undefined,
      }),
    }
  },

  readAnswer: (answer) => {
    const predictions = objectsOf(answer['predictions'])
    const images = predictions.flatMap((prediction) => {
      const data = textOf(member(prediction, 'bytesBase64Encoded'))
      const mime = textOf(member(prediction, 'mimeType')) || undefined
      return data === '' ? [] : [imageData(data, mime, textOrNull(prediction['prompt']))]
    })
    const reasons = predictions.map((prediction) => textOf(member(prediction, 'raiFilteredReason')))
    return { ...noImages, images, refusal: textOrNull(reasons.filter((reason) => reason !== '').join(' ')) }
  },

  writeAnswer: ({ images }) => ({
    predictions: images.map(({ source, revisedPrompt }) =>
      omitUndefined({
        mimeType: source.mime ?? 'image/png',
        ...(source.kind === 'data' ? { bytesBase64Encoded: source.data } : { gcsUri: source.url }),
        prompt: revisedPrompt ?? undefined,
      }),
    ),
  }),
}

/** Images are references; models before the third version of Imagen take one image and one mask. */
function readImages(instance: JsonObject): Pick<NeutralImageCall, 'images' | 'mask'> {
  const references = objectsOf(member(instance, 'referenceImages'))
  const isMask = (reference: JsonObject) => member(reference, 'referenceType') === 'REFERENCE_TYPE_MASK'
  const imageIn = (reference: JsonObject) => readImage(memberObject(reference, 'referenceImage'))
  const oldMask = readImage(memberObject(memberObject(instance, 'mask'), 'image'))
  return {
    images: [
      ...references.filter((reference) => !isMask(reference)).flatMap(imageIn),
      ...readImage(memberObject(instance, 'image')),
    ],
    mask: [...references.filter(isMask).flatMap(imageIn), ...oldMask][0] ?? null,
  }
}

/** The image to edit, and where. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api-edit */
function writeReferences({ images: [image], mask }: NeutralImageCall): JsonObject[] {
  const raw = image && {
    referenceType: 'REFERENCE_TYPE_RAW',
    referenceId: 1,
    referenceImage: writeImage(image, 'images'),
  }
  const masked = mask && {
    referenceType: 'REFERENCE_TYPE_MASK',
    referenceId: 2,
    referenceImage: writeImage(maskFor(mask, 'white'), 'mask'),
    maskImageConfig: { maskMode: 'MASK_MODE_USER_PROVIDED' },
  }
  return [raw, masked].filter((reference) => reference !== undefined && reference !== null)
}

const readImage = (image: JsonObject): Source[] => {
  const data = textOf(member(image, 'bytesBase64Encoded'))
  return data === '' ? [] : [{ kind: 'data', data, mime: textOf(member(image, 'mimeType')) || 'image/png' }]
}

/** Returns an image as Google reads it: of addresses only those of its own storage. @throws DialectError */
function writeImage(source: Source, param: 'images' | 'mask'): JsonObject {
  if (source.kind === 'url' && source.url.startsWith('gs:')) return { gcsUri: source.url }
  const [image] = requireInline([source], param)
  return { bytesBase64Encoded: image?.data, mimeType: image?.mime }
}

const encoder = new TextEncoder()

/** `POST /v1beta/models/{model}:predict`. */
export const imagen: Dialect = {
  ...imageDialect('imagen', imagenCodec, predictPrompt),
  codec: { kind: 'images', client: imagenCodec, upstream: imagenCodec },
  names: predictNames,
  readRequest: readPredictRequest,
  withModel: (body) => body,
  withShare: (body, share) => {
    const parameters = objectOf(body['parameters'])
    const drawn = { [nameIn(parameters, 'sampleCount')]: share.count, ...seedForShare(parameters['seed'], share) }
    return { ...body, parameters: { ...parameters, ...drawn } }
  },
  joinAnswers: (answers) => ({
    ...answers[0],
    predictions: answers.flatMap(({ predictions }) => objectsOf(predictions)),
  }),
  inlining: {
    isRequested: () => true,
    addressesIn: (answer) =>
      objectsOf(answer['predictions'])
        .map(({ gcsUri }) => textOf(gcsUri))
        .filter((url) => url.startsWith('https:')),
    insertImages: (answer, images) => ({
      ...answer,
      predictions: objectsOf(answer['predictions']).map((image) => withImage(image, images)),
    }),
  },
  errorBody: geminiError,
  errorEvent: (error) => encoder.encode(errorEventText(error)),
  readError,
}

function withImage({ gcsUri, ...image }: JsonObject, images: ReadonlyMap<string, string>): JsonObject {
  const data = images.get(textOf(gcsUri))
  if (data !== undefined) return { ...image, bytesBase64Encoded: data }
  return gcsUri === undefined ? image : { ...image, gcsUri }
}

/** How many images the vendor draws where the request does not tell. */
const usualCount = 4

/** Reads a request for images. @throws DialectError */
function readPredictRequest(body: JsonObject, { model }: PathContext): RequestView {
  const { instances } = body
  if (instances === undefined || instances === null) throw missing('instances')
  if (!Array.isArray(instances)) throw wrongType('instances', 'an array of objects', instances)
  const [first]: readonly unknown[] = instances
  if (first === undefined || instances.length > 1)
    throw new DialectError('instances', 'invalid_value', "Invalid 'instances': expected exactly one.")
  if (!isObject(first)) throw wrongType('instances[0]', 'an object', first)
  if (textOf(first['prompt']) === '') throw missing('instances[0].prompt')
  const parameters = objectOf(body['parameters'])
  const count = member(parameters, 'sampleCount') ?? usualCount
  const image = { size: textOrNull(member(parameters, 'sampleImageSize')), quality: null }
  return {
    model: readModel({ model: model.replace(/^models\//, '') || undefined }),
    isStream: false,
    includeUsage: false,
    maxOutputTokens: maxImageTokens(image),
    choices: readChoices({ sampleCount: count }, 'sampleCount'),
    image,
  }
}

function predictPrompt(body: JsonObject): PromptShape {
  const instance = objectOf(objectsOf(body['instances'])[0])
  const references = objectsOf(member(instance, 'referenceImages')).length
  return { ...inputPrompt(instance, 'prompt'), images: references + (isObject(instance['image']) ? 1 : 0) }
}
