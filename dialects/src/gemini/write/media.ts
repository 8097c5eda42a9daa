import type { JsonObject } from '../../json'
import type { Part } from '../../neutral/call'
import type { Warn } from '../../neutral/codec'
import { isOwnFile } from '../read/media'

type MediaPart = Extract<Part, { kind: 'image' | 'audio' | 'video' | 'file' }>

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
const usual = { image: 'image/jpeg', audio: 'audio/mp3', video: 'video/mp4', file: 'application/pdf' } as const

/** A picture, sound, film or file; null for one that another vendor keeps. */
export function writeMedia({ kind, source }: MediaPart, warn: Warn): JsonObject | null {
  if (source.kind === 'data')
    return { inlineData: { mimeType: plainMime(source.mime, usual[kind]), data: source.data } }
  if (source.kind === 'url')
    return { fileData: { mimeType: source.mime || mimeByEnding(source.url) || usual[kind], fileUri: source.url } }
  if (isOwnFile(source.id)) return { fileData: { fileUri: source.id } }
  warn(`${kind} of another vendor`)
  return null
}

/** The vendor knows some kinds of text by name; all others are plain. https://ai.google.dev/gemini-api/docs/document-processing */
function plainMime(mime: string, otherwise: string): string {
  const word = mime.toLowerCase().split(';')[0] ?? ''
  if (word === 'image/jpg') return 'image/jpeg'
  if (/^application\/(?:json|xml|yaml|x-yaml|toml|javascript|x-javascript|typescript)$/.test(word)) return 'text/plain'
  return word || otherwise
}

const mimeByEnding = (url: string): string | undefined =>
  byEnding[(/\.(\w{3,4})(?:[?#]|$)/.exec(url)?.[1] ?? '').toLowerCase()]
