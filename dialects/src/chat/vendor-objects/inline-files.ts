import { isObject, type JsonObject } from '../../core/json'
import { isTextMime } from '../../core/shared/prompt-media'

/** The content of a file that a request names. */
export interface InlineFile {
  readonly filename: string
  /** A media type without parameters. */
  readonly contentType: string
  readonly bytes: Buffer<ArrayBuffer>
}

/** Returns the content of a file by its id; undefined: it is not to be put in. */
type FileById = (id: string) => InlineFile | undefined

/** A request names a file where its content cannot be written. */
export class NoInlineForm extends Error {
  override readonly name = 'NoInlineForm'

  constructor(
    readonly id: string,
    readonly contentType: string,
    /** The kind of part that names it. */
    readonly place: string,
  ) {
    super(`A ${place} cannot have ${contentType}`)
  }
}

const dataUrl = ({ contentType, bytes }: InlineFile): string => `data:${contentType};base64,${bytes.toString('base64')}`

const isImage = ({ contentType }: InlineFile): boolean => contentType.startsWith('image/')

/** Where parts of requests may name a file, in any dialect. `[]` goes through a list. */
const places: readonly (readonly string[])[] = [
  // Responses
  ['input[]', 'content[]'],
  ['input[]', 'output[]'],
  // Chat Completions and Messages
  ['messages[]', 'content[]'],
  ['messages[]', 'content[]', 'content[]'],
  // Images to be edited, and documents to be read
  ['images[]'],
  ['mask'],
  ['document'],
]

/**
 * Returns a request with the content of files in place of their ids, as its dialect writes it, so that any upstream understands it. Other names
 * stay. @throws NoInlineForm.
 */
export const withInlineFiles = (body: JsonObject, fileOf: FileById): JsonObject =>
  places.reduce((changed, path) => inlineAt(changed, path, fileOf), body)

function inlineAt(object: JsonObject, [step = '', ...rest]: readonly string[], fileOf: FileById): JsonObject {
  const name = step.replace('[]', '')
  const value = object[name]
  const inline = (one: unknown) =>
    !isObject(one) ? one : rest.length > 0 ? inlineAt(one, rest, fileOf) : inlinePart(one, fileOf)
  const changed = step === name || !Array.isArray(value) ? (step === name ? inline(value) : value) : value.map(inline)
  const isSame =
    changed === value ||
    (Array.isArray(changed) && Array.isArray(value) && changed.every((one, index) => one === value[index]))
  return isSame ? object : { ...object, [name]: changed }
}

function inlinePart(part: JsonObject, fileOf: FileById): JsonObject {
  const { file_id: id, ...others } = part
  const own = typeof id === 'string' ? fileOf(id) : undefined
  if (typeof id === 'string' && own) return inlineNamed(part, others, id, own)
  const { file, source } = part
  if (isObject(file) && typeof file['file_id'] === 'string') {
    const found = fileOf(file['file_id'])
    return found ? { ...part, file: { filename: found.filename, file_data: dataUrl(found) } } : part
  }
  if (!isObject(source) || source['type'] !== 'file' || typeof source['file_id'] !== 'string') return part
  const found = fileOf(source['file_id'])
  return found ? { ...part, source: sourceOf(part, source['file_id'], found) } : part
}

/** A part that has the id itself. */
function inlineNamed(part: JsonObject, others: JsonObject, id: string, file: InlineFile): JsonObject {
  switch (part['type']) {
    case 'input_file':
      return { ...others, filename: file.filename, file_data: dataUrl(file) }
    case 'file':
      return { ...others, type: 'document_url', document_url: dataUrl(file) }
    case 'input_image':
    case undefined:
      if (!isImage(file)) throw new NoInlineForm(id, file.contentType, 'input_image')
      return { ...others, image_url: dataUrl(file) }
    default:
      return part
  }
}

/** https://docs.claude.com/en/docs/build-with-claude/files */
function sourceOf({ type }: JsonObject, id: string, file: InlineFile): JsonObject {
  const { contentType, bytes } = file
  const isFitting = type === 'image' ? isImage(file) : contentType === 'application/pdf' || isTextMime(contentType)
  if (!isFitting) throw new NoInlineForm(id, contentType, String(type))
  return type !== 'image' && isTextMime(contentType)
    ? { type: 'text', media_type: 'text/plain', data: bytes.toString('utf8') }
    : { type: 'base64', media_type: contentType, data: bytes.toString('base64') }
}
