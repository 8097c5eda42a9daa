import type { Dialect } from '../core/dialect'
import { openAiImages, openAiImagesCodec, readNeutralCall, streamOf } from './openai-images/dialect'
import { imageNames } from '../core/shared/names'
import { FormFile } from '../core/form-file'
import type { Source } from '../core/neutral/call'
import type { ImageCodec } from '../core/neutral/image'
import type { PromptShape, RequestView } from '../core/views'
import { DialectError } from '../core/dialect-error'
import type { JsonObject } from '../core/json'
import { objectsOf } from '../core/neutral/read'
import { countNames, readImageView } from './openai-images/request'
import { missing } from '../core/shared/fields'
import { inputPrompt } from '../core/shared/prompt'

/** OpenAI's edits and variations, read from forms too and written as JSON. */
const openAiImageEditsCodec: ImageCodec = {
  ...openAiImagesCodec,
  readCall: (body, pathContext) => {
    const { model, choices } = readEditRequest(body, pathContext.model || undefined)
    const call = readNeutralCall(plainFields(body), { model, count: choices })
    const { mask } = body
    return {
      ...call,
      images: [...editFiles(body).map(sourceOf), ...call.images],
      mask: mask instanceof FormFile ? sourceOf(mask) : call.mask,
    }
  },
  writeStream: streamOf('image_edit.completed'),
}

const endings: Readonly<Record<string, string>> = { jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' }

/** Some clients give no media type. */
const sourceOf = ({ bytes, type, filename }: FormFile): Source => ({
  kind: 'data',
  data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  mime: type.startsWith('image/') ? type : (endings[filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'image/png'),
})

/** `POST /v1/images/edits` and `/v1/images/variations`. */
export const openAiImageEdits: Dialect = {
  ...openAiImages,
  id: 'openai-image-edits',
  codec: { kind: 'images', client: openAiImageEditsCodec, upstream: openAiImageEditsCodec },
  names: imageNames,
  readRequest: (body, pathContext) => readEditRequest(body, pathContext.model || undefined),
  readPrompt: editPrompt,
}

/** What is used when the client names no model. */
const defaultModel = 'gpt-image-1'

/**
 * Reads a request for edits or variations, as a form or as JSON. A variation has no prompt.
 * https://platform.openai.com/docs/api-reference/images/createEdit
 * @throws DialectError
 */
function readEditRequest(body: JsonObject, model: string = defaultModel): RequestView {
  const view = readImageView(plainFields(body), model)
  const files = editFiles(body)
  if (files.length === 0 && objectsOf(body['images']).length === 0) throw missing('image')
  if (files.some(({ bytes }) => bytes.byteLength === 0))
    throw new DialectError('image', 'empty_string', "Invalid 'image': the file is empty.")
  return view
}

const numbers: ReadonlySet<string> = new Set([...countNames, 'partial_images', 'output_compression'])

/** Returns the fields of a form with their values instead of texts. */
function plainFields(body: JsonObject): JsonObject {
  const fields = Object.entries(body).map(([name, value]) => [name, plainField(name, value)] as const)
  return Object.fromEntries(fields)
}

function plainField(name: string, value: unknown): unknown {
  if (name === 'stream' && (value === 'true' || value === 'false')) return value === 'true'
  return numbers.has(name) && typeof value === 'string' && value.trim() !== '' ? Number(value) : value
}

const imageField = /^image(?:\[\d*\])?$/

/** Returns the images of a form: the fields `image`, `image[]` and `image[0]`, in order. */
const editFiles = (body: JsonObject): readonly FormFile[] =>
  Object.entries(body)
    .filter(([name]) => imageField.test(name))
    .flatMap(([, value]) => [value].flat())
    .filter((value): value is FormFile => value instanceof FormFile)

function editPrompt(body: JsonObject): PromptShape {
  return { ...inputPrompt(body, 'prompt'), images: editFiles(body).length + objectsOf(body['images']).length }
}
