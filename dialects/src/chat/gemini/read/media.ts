import type { JsonObject } from '../../../core/json'
import type { FilePart, ImagePart, Part, Source } from '../../../core/neutral/call'
import { textOf, textOrNull } from '../../../core/neutral/read'
import { isFilmAddress } from '../../../core/shared/prompt-media'
import { member } from '../../../core/shared/google-members'

type MediaPart = Extract<Part, { kind: 'image' | 'audio' | 'video' | 'file' }>

/** Files that only the vendor can open: those it keeps, and those in its own storage. */
export const isOwnFile = (uri: string): boolean =>
  /^(?:files\/|gs:\/\/|https:\/\/generativelanguage\.googleapis\.com\/)/.test(uri)

/** A picture, sound, film or file, given whole or by its address. */
export function readMedia(data: JsonObject): MediaPart {
  const mime = textOf(member(data, 'mimeType')).toLowerCase()
  const name = textOrNull(member(data, 'displayName'))
  const source = sourceOf(data, mime)
  if (mime.startsWith('image/')) return { kind: 'image', source }
  if (mime.startsWith('audio/')) return { kind: 'audio', source }
  if (mime.startsWith('video/') || isFilm(source)) return { kind: 'video', source }
  return { kind: 'file', source, ...(name !== null && { name }) }
}

function sourceOf(data: JsonObject, mime: string): Source {
  const uri = textOf(member(data, 'fileUri'))
  if (uri === '') return { kind: 'data', data: textOf(data['data']), mime }
  return isOwnFile(uri) ? { kind: 'id', id: uri } : { kind: 'url', url: uri, ...(mime !== '' && { mime }) }
}

const isFilm = (source: Source): boolean => source.kind === 'url' && isFilmAddress(source.url)

/** The media of a tool's result, without sounds and films. */
export function readShown(data: JsonObject): ImagePart | FilePart {
  const media = readMedia(data)
  return media.kind === 'image' || media.kind === 'file' ? media : { kind: 'file', source: media.source }
}
