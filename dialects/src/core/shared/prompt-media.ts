import { member } from './google-members'
import { FormFile } from '../form-file'
import { isObject, type JsonObject } from '../json'
import type { Source } from '../neutral/call'
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

const byEnding: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  pdf: 'application/pdf',
  txt: 'text/plain',
  mp3: 'audio/mp3',
  wav: 'audio/wav',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  mov: 'video/mov',
  webm: 'video/webm',
}

/** Returns the kind of file at an address, by the ending of its name; undefined where that does not tell. */
export const mimeByEnding = (url: string): string | undefined =>
  byEnding[(/\.(\w{3,4})(?:[?#]|$)/.exec(url)?.[1] ?? '').toLowerCase()]

const textByEnding: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  xml: 'text/xml',
  json: 'application/json',
}

/** Returns what a file that was sent holds: what the request says, or else the ending of its name. Clients leave it open, mostly for PDFs. */
export function fileMime(name: string | null, mime = ''): string {
  if (mime !== '' && mime !== 'application/octet-stream') return mime
  const ending = (name ?? '').split('.').at(-1)?.toLowerCase() ?? ''
  return textByEnding[ending] ?? mimeByEnding(name ?? '') ?? 'application/pdf'
}

const textMimes: ReadonlySet<string> = new Set(['application/json', 'application/xml', 'application/x-ndjson'])

/** Returns whether a file of this kind is text. */
export const isTextMime = (mime: string): boolean =>
  mime.startsWith('text/') || textMimes.has(mime.split(';', 1)[0] ?? '')

/** Returns whether what was shown as an image is a document. */
export const isDocument = (source: Source): boolean => source.kind === 'data' && source.mime === 'application/pdf'

/** Google reads the film behind such an address, whatever kind of file the request says it is. */
const filmHost = /^https?:\/\/(?:[\w-]+\.)*(?:youtube\.com|youtu\.be)(?:[:/?#]|$)/i

export const isFilmAddress = (address: string): boolean => filmHost.test(address.slice(0, 256))

/** A data URL tells its kind in its beginning. */
const maxKindLength = 128

/**
 * Returns whether what a request gives as a picture is a document, a recording or a film: some vendors read these in its place, and they have
 * far more tokens. `mime` is its kind where the request says it.
 */
export function isOtherThanImage(address: string, mime = ''): boolean {
  if (isFilmAddress(address)) return true
  const kind = address.startsWith('data:')
    ? address.slice('data:'.length, maxKindLength).split(/[;,]/, 1)[0]
    : mime || mimeByEnding(address)
  return kind !== undefined && kind.includes('/') && !kind.toLowerCase().startsWith('image/')
}

/** Returns the kind of a picture by its first twelve bytes as Latin-1; null for anything else. */
export function imageMimeOf(head: string): string | null {
  if (head.startsWith('\x89PNG')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  return head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP' ? 'image/webp' : null
}
