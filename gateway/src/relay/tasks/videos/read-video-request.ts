import { DialectError, FormFile, isObject, nestedObject, type JsonObject } from '@tollgate/dialects'
import { frameOf, resolutionName, type Image, type VideoRequest } from '@tollgate/providers'

/** What a client asks for, and of which model. */
export interface VideoSubmission {
  readonly model: string
  readonly request: VideoRequest
  /** Where the client wants to be notified of the end; empty: nowhere. */
  readonly webhook: string
}

/** What OpenAI takes when the client names no model. */
const defaultModel = 'sora-2'
const maxPromptLength = 32_000
const maxModelLength = 256
const maxAddressLength = 2048
const maxSeconds = 600
const maxReferences = 16

/**
 * Reads the body of a request for a video, as JSON or as a form: OpenAI's members, and what other gateways add to them. Members of
 * `metadata` count as members of the body where it does not have them.
 * https://platform.openai.com/docs/api-reference/videos/create
 * @throws DialectError
 */
export function readVideoRequest(body: JsonObject): VideoSubmission {
  const members = withMetadata(body)
  return { model: readModel(members), request: readRequest(members), webhook: readWebhook(members) }
}

/** Reads the body of a request to remix a video. @throws DialectError */
export function readRemixRequest(body: JsonObject): Omit<VideoSubmission, 'model'> {
  const members = withMetadata(body)
  return { request: readRequest(members), webhook: readWebhook(members) }
}

function withMetadata(body: JsonObject): JsonObject {
  const { metadata, ...members } = body
  const parsed = typeof metadata === 'string' ? nestedObject(metadata) : metadata
  return isObject(parsed) ? { ...parsed, ...members } : members
}

function readRequest(members: JsonObject): VideoRequest {
  const size = textOf(members, 'size')
  const frame = size === null ? null : frameOf(size)
  const named = textOf(members, 'resolution') ?? (frame === null ? size : null)
  const resolution = named === null ? null : resolutionName(named)
  if (named !== null && resolution === null)
    throw invalid(size === named ? 'size' : 'resolution', 'expected a size as 1280x720 or a resolution as 720p')
  const [single = null, ...others] = imagesIn(members, 'input_reference', 'image', 'image_url', 'images')
  const [first = single] = imagesIn(members, 'first_frame', 'first_frame_image')
  const [last = null] = imagesIn(members, 'last_frame', 'last_frame_image', 'image_tail')
  const references = [...(first === single ? others : [single, ...others]), ...imagesIn(members, 'reference_images')]
  if (references.length > maxReferences) throw invalid('images', `expected at most ${maxReferences} images`)
  return {
    prompt: readPrompt(members),
    negativePrompt: textOf(members, 'negative_prompt'),
    seconds: readSeconds(members),
    frame,
    resolution,
    aspectRatio: readRatio(members),
    quality: textOf(members, 'quality') ?? textOf(members, 'mode'),
    hasSound: readSound(members),
    seed: readSeed(members),
    firstFrame: first,
    lastFrame: last,
    references: references.filter((image) => image !== null),
    own: members,
  }
}

function readModel(members: JsonObject): string {
  const { model = defaultModel } = members
  if (typeof model !== 'string') throw new DialectError('model', 'invalid_type', "Invalid 'model': expected a string.")
  if (model.trim() === '') throw new DialectError('model', 'empty_string', "Invalid 'model': the name is empty.")
  if (model.length > maxModelLength) throw tooLong('model', `the name must have at most ${maxModelLength} characters`)
  return model
}

function readPrompt({ prompt }: JsonObject): string {
  if (prompt === undefined || prompt === null || prompt === '')
    throw new DialectError('prompt', 'missing_required_parameter', "Missing required parameter: 'prompt'.")
  if (typeof prompt !== 'string')
    throw new DialectError('prompt', 'invalid_type', "Invalid 'prompt': expected a string.")
  if (prompt.length > maxPromptLength) throw tooLong('prompt', `expected at most ${maxPromptLength} characters`)
  return prompt
}

/** OpenAI's clients write the number as a text. */
function readSeconds(members: JsonObject): number | null {
  const name = members['seconds'] === undefined ? 'duration' : 'seconds'
  const value = members[name]
  if (value === undefined || value === null || value === '') return null
  const seconds = typeof value === 'string' ? Number(value) : value
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 1 || seconds > maxSeconds)
    throw invalid(name, `expected a whole number of seconds from 1 to ${maxSeconds}`)
  return seconds
}

function readRatio(members: JsonObject): string | null {
  const ratio = textOf(members, 'aspect_ratio') ?? textOf(members, 'ratio')
  if (ratio !== null && !/^\d{1,3}:\d{1,3}$/.test(ratio)) throw invalid('aspect_ratio', 'expected a ratio as 16:9')
  return ratio
}

function readWebhook(members: JsonObject): string {
  const address = textOf(members, 'callback_url') ?? ''
  if (address === '' || (address.length <= maxAddressLength && address.startsWith('https:') && URL.canParse(address)))
    return address
  throw invalid('callback_url', 'expected an https address')
}

const switchedOn: ReadonlySet<unknown> = new Set([true, 'true', 'on'])
const switchedOff: ReadonlySet<unknown> = new Set([false, 'false', 'off'])

function readSound(members: JsonObject): boolean | null {
  const value = ['generate_audio', 'audio', 'sound'].map((name) => members[name]).find((single) => single !== undefined)
  return switchedOn.has(value) ? true : switchedOff.has(value) ? false : null
}

function readSeed({ seed }: JsonObject): number | null {
  const value = typeof seed === 'string' && seed !== '' ? Number(seed) : seed
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

function textOf(members: JsonObject, name: string): string | null {
  const value = members[name]
  if (value === undefined || value === null || value === '' || value === 'auto') return null
  if (typeof value !== 'string') throw new DialectError(name, 'invalid_type', `Invalid '${name}': expected a string.`)
  return value
}

const imagesIn = (members: JsonObject, ...names: readonly string[]): readonly Image[] =>
  names.flatMap((name) =>
    [members[name], members[`${name}[]`]]
      .flat()
      .flatMap((value) => (value === undefined || value === null || value === '' ? [] : [readImage(value, name)])),
  )

/** A file, an address, an object with an address, or base64 text alone. */
function readImage(value: unknown, name: string): Image {
  if (value instanceof FormFile) {
    if (value.bytes.byteLength > 0) return value
    throw new DialectError(name, 'empty_string', `Invalid '${name}': the file is empty.`)
  }
  if (isObject(value)) {
    if (value['file_id'] !== undefined) throw invalid(name, 'files are not kept here: send the image or its address')
    return readImage(value['image_url'] ?? value['url'], name)
  }
  if (typeof value !== 'string') throw new DialectError(name, 'invalid_type', `Invalid '${name}': expected an image.`)
  const text = value.trim()
  if (text.startsWith('{')) return readImage(nestedObject(text), name)
  if (/^(?:https?:\/\/|gs:\/\/|data:image\/[\w.+-]+;base64,)/.test(text)) return text
  if (!/^[A-Za-z0-9+/]{16,}={0,2}$/.test(text)) throw invalid(name, 'expected an address or base64 text')
  return `data:${kindOf(text)};base64,${text}`
}

/** What the first bytes of an image look like in base64. */
const kindOf = (text: string): string =>
  text.startsWith('/9j/') ? 'image/jpeg' : text.startsWith('UklGR') ? 'image/webp' : 'image/png'

const invalid = (param: string, expected: string): DialectError =>
  new DialectError(param, 'invalid_value', `Invalid '${param}': ${expected}.`)

const tooLong = (param: string, limit: string): DialectError =>
  new DialectError(param, 'string_above_max_length', `Invalid '${param}': ${limit}.`)
