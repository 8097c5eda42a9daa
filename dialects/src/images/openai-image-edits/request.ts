import type { PromptShape, RequestView } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import { FormFile } from '../../core/form-file'
import type { JsonObject } from '../../core/json'
import { objectsOf } from '../../core/neutral/read'
import { countNames, readImageView } from '../openai-images/request'
import { missing } from '../../core/shared/fields'
import { inputPrompt } from '../../core/shared/prompt'

/** What is used when the client names no model. */
const defaultModel = 'gpt-image-1'

/**
 * Reads a request for edits or variations, as a form or as JSON. A variation has no prompt.
 * https://platform.openai.com/docs/api-reference/images/createEdit
 * @throws DialectError
 */
export function readEditRequest(body: JsonObject, model: string = defaultModel): RequestView {
  const view = readImageView(plainFields(body), model)
  const files = editFiles(body)
  if (files.length === 0 && objectsOf(body['images']).length === 0) throw missing('image')
  if (files.some(({ bytes }) => bytes.byteLength === 0))
    throw new DialectError('image', 'empty_string', "Invalid 'image': the file is empty.")
  return view
}

const numbers: ReadonlySet<string> = new Set([...countNames, 'partial_images', 'output_compression'])

/** Returns the fields of a form with their values instead of texts. */
export function plainFields(body: JsonObject): JsonObject {
  const fields = Object.entries(body).map(([name, value]) => [name, plainField(name, value)] as const)
  return Object.fromEntries(fields)
}

function plainField(name: string, value: unknown): unknown {
  if (name === 'stream' && (value === 'true' || value === 'false')) return value === 'true'
  return numbers.has(name) && typeof value === 'string' && value.trim() !== '' ? Number(value) : value
}

const imageField = /^image(?:\[\d*\])?$/

/** Returns the images of a form: the fields `image`, `image[]` and `image[0]`, in order. */
export const editFiles = (body: JsonObject): readonly FormFile[] =>
  Object.entries(body)
    .filter(([name]) => imageField.test(name))
    .flatMap(([, value]) => [value].flat())
    .filter((value): value is FormFile => value instanceof FormFile)

export const editPrompt = (body: JsonObject): PromptShape => ({
  ...inputPrompt(body, 'prompt'),
  images: editFiles(body).length + objectsOf(body['images']).length,
})
