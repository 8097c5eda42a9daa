import type { ImageFormat, PromptShape, RequestView } from '../../core/views'
import { DialectError } from '../../core/dialect-error'
import type { JsonObject } from '../../core/json'
import { objectOf, textOrNull } from '../../core/neutral/read'
import { missing, readChoices, readFlag, readMaxTokens, readModel, wrongType } from '../../core/shared/fields'
import { inputPrompt } from '../../core/shared/prompt'

/** What OpenAI takes when the client names no model. */
const defaultModel = 'dall-e-2'

/**
 * The view of a request for pictures. https://platform.openai.com/docs/api-reference/images/create
 * @throws DialectError
 */
export function readImageRequest(body: JsonObject, model: string = defaultModel): RequestView {
  requirePrompt(body['prompt'])
  return readImageView(body, model)
}

/**
 * What OpenAI and hosts of open models call the number of pictures. Members that a vendor does not know are passed to it, so the largest
 * number is what the request may bring.
 */
export const countNames = [
  'n',
  'batch_size',
  'num_images',
  'num_images_per_prompt',
  'num_outputs',
  'number_results',
  'samples',
] as const

/** Reads what requests for images and for edits have in common. @throws DialectError */
export function readImageView(body: JsonObject, model: string): RequestView {
  const named = readModel(body, model)
  const image = readImageFormat(body)
  const isStream = readFlag(body, 'stream')
  const partials = isStream ? (readMaxTokens(body, 'partial_images', 0) ?? 0) : 0
  return {
    model: named,
    isStream,
    includeUsage: true,
    maxOutputTokens: maxImageTokens(image, partials),
    choices: Math.max(...countNames.map((name) => readChoices(body, name)), maxSequentialImages(body)),
    image,
  }
}

/** Returns how many images a request to ByteDance may bring. https://www.volcengine.com/docs/82379/1541523 */
function maxSequentialImages(body: JsonObject): number {
  if (body['sequential_image_generation'] !== 'auto') return 1
  const name = 'sequential_image_generation_options.max_images'
  const maxImages = objectOf(body['sequential_image_generation_options'])['max_images'] ?? usualSequence
  return readChoices({ [name]: maxImages }, name)
}

/** Without a limit of its own. */
const usualSequence = 15

function requirePrompt(prompt: unknown): void {
  if (prompt === undefined || prompt === null || prompt === '') throw missing('prompt')
  if (typeof prompt !== 'string') throw wrongType('prompt', 'a string', prompt)
}

/** `auto` leaves the choice to the vendor. */
export const readImageFormat = (body: JsonObject): ImageFormat => ({
  size: dropAuto(readSize(body['size'])),
  quality: dropAuto(textOrNull(body['quality'])),
})

const dropAuto = (word: string | null): string | null => (word === 'auto' ? null : word)

function readSize(size: unknown): string | null {
  if (size === undefined || size === null) return null
  if (typeof size !== 'string') throw wrongType('size', 'a string', size)
  if (size.includes('×'))
    throw new DialectError('size', 'invalid_value', "Invalid 'size': write it with the letter x, as 1024x1024.")
  return size === '' ? null : size
}

/** The prompt, and the pictures that it is about. */
export function imagePrompt(body: JsonObject): PromptShape {
  const { images } = body
  return { ...inputPrompt(body, 'prompt'), images: Array.isArray(images) ? images.length : 0 }
}

/** Output tokens of a square picture of 1024 pixels at most, whichever model draws it. */
const ofSquare: Readonly<Record<string, number>> = {
  low: 300,
  standard: 2000,
  medium: 2000,
  hd: 7200,
  high: 7200,
  xhigh: 14_400,
  max: 28_800,
}
/** `auto`, and words of later models. */
const otherQuality = 7200
/** What is added for each partial picture of a stream. */
const ofPartial = 100

const pixelSize = /^(\d{2,5})x(\d{2,5})$/
const resolution = /^([124])k$/i

/**
 * Returns the output tokens that one picture may cost at most, with those of its partial pictures.
 * https://platform.openai.com/docs/guides/image-generation#calculating-costs
 */
export const maxImageTokens = ({ size, quality }: ImageFormat, partials = 0): number =>
  Math.ceil((ofSquare[quality?.toLowerCase() ?? ''] ?? otherQuality) * squaresIn(size)) + partials * ofPartial

/** How many squares of 1024 pixels a picture fills, at least one. A size that the vendor chooses is that of a portrait. */
function squaresIn(size: string | null): number {
  const pixels = pixelSize.exec(size ?? '')
  if (pixels) return Math.max(1, (Number(pixels[1]) * Number(pixels[2])) / 1024 ** 2)
  const edge = resolution.exec(size ?? '')?.[1]
  return edge === undefined ? 1.5 : Number(edge) ** 2
}
