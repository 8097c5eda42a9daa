import { member } from './google-members'
import { FormFile } from '../form-file'
import { isObject, type JsonObject } from '../json'
import { objectOf, textOf } from '../neutral/read'

/** A picture or a recording in a prompt. */
export interface PromptMedia {
  readonly kind: 'image' | 'audio'
  /** In base64; null where the request names an address or a file of the vendor. */
  readonly data: string | null
  /** An image to be seen in low detail. */
  readonly isCoarse: boolean
}

/** Requests nest no deeper. */
const deepest = 16

/** Returns the pictures and recordings in the prompt of a request in any dialect. Looks at every member, so only where there are some. */
export function promptMedia(body: JsonObject): readonly PromptMedia[] {
  const found: PromptMedia[] = []
  const walk = (value: unknown, depth: number): void => {
    if (depth > deepest || typeof value !== 'object' || value === null) return
    const medium = isObject(value) ? mediumOf(value) : null
    if (value instanceof FormFile) found.push(...imageOfForm(value))
    else if (medium) found.push(medium)
    else if (isObject(value) && areTexts(value['images'])) found.push(...value['images'].map(imageOfText))
    else for (const inner of Object.values(value)) walk(inner, depth + 1)
  }
  walk(body, 0)
  return found
}

const images: ReadonlySet<unknown> = new Set(['image_url', 'input_image', 'image', 'computer_screenshot'])
const audios: ReadonlySet<unknown> = new Set(['input_audio', 'audio', 'audio_url'])

function mediumOf(part: JsonObject): PromptMedia | null {
  const { type } = part
  // Images to edit stand in a list of their own, without a type.
  if (images.has(type) || (type === undefined && typeof part['image_url'] === 'string')) return imageOf(part)
  if (audios.has(type)) return audioOf(part)
  if (type === 'image_generation_call') return { kind: 'image', data: textOf(part['result']) || null, isCoarse: false }
  return geminiMedium(member(part, 'inlineData') ?? member(part, 'fileData'))
}

/** Ollama's, and Cohere's for vectors: base64 or data URLs in a list of their own. */
const areTexts = (images: unknown): images is readonly string[] =>
  Array.isArray(images) && images.length > 0 && images.every((image) => typeof image === 'string')

const imageOfText = (image: string): PromptMedia => ({
  kind: 'image',
  data: inlineData(image) ?? (image.includes(':') ? null : image),
  isCoarse: false,
})

/** As much of a file as holds the size of an image. */
const headBytes = 384 * 1024

function imageOfForm({ type, bytes }: FormFile): PromptMedia[] {
  if (!type.startsWith('image/')) return []
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, headBytes))
  return [{ kind: 'image', data: head.toString('base64'), isCoarse: false }]
}

function imageOf(part: JsonObject): PromptMedia {
  const { image_url: url, detail, source } = part
  const isCoarse = (objectOf(url)['detail'] ?? detail) === 'low'
  const address = textOf(url) || textOf(objectOf(url)['url']) || textOf(part['image'])
  return { kind: 'image', data: inlineData(address) ?? (textOf(objectOf(source)['data']) || null), isCoarse }
}

function audioOf(part: JsonObject): PromptMedia {
  const { input_audio: audio, audio_url: url } = part
  const dataOrUrl = textOf(objectOf(audio)['data']) || textOf(url) || textOf(objectOf(url)['url'])
  // Some vendors take an address in the place of the data.
  const isAddress = dataOrUrl.slice(0, 64).includes(':')
  return { kind: 'audio', data: isAddress ? inlineData(dataOrUrl) : dataOrUrl || null, isCoarse: false }
}

/** A member with the kind of file and, unless it is kept elsewhere, its content. */
function geminiMedium(media: unknown): PromptMedia | null {
  if (!isObject(media)) return null
  const mime = textOf(member(media, 'mimeType'))
  const data = textOf(media['data']) || null
  if (mime.startsWith('image/')) return { kind: 'image', data, isCoarse: false }
  return mime.startsWith('audio/') ? { kind: 'audio', data, isCoarse: false } : null
}

const base64Mark = ';base64,'

function inlineData(address: string): string | null {
  if (!address.startsWith('data:')) return null
  const at = address.slice(0, 256).indexOf(base64Mark)
  return at < 0 ? null : address.slice(at + base64Mark.length)
}
