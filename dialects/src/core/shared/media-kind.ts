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
