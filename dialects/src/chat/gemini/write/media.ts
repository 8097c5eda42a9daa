import type { JsonObject } from '../../../core/json'
import type { Part } from '../../../core/neutral/call'
import type { Warn } from '../../../core/neutral/codec'
import { mimeByEnding } from '../../../core/shared/prompt-media'
import { isOwnFile } from '../read/media'

type MediaPart = Extract<Part, { kind: 'image' | 'audio' | 'video' | 'file' }>

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
