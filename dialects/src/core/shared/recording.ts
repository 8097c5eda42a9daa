import type { FormFile } from '../form-file'

const types: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  mp4: 'audio/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  flac: 'audio/flac',
  webm: 'audio/webm',
}

const endingOf = ({ filename }: FormFile): string => filename.split('.').at(-1)?.toLowerCase() ?? ''

/** Returns the media type of a recording; some clients give none. */
export function recordingType(file: FormFile): string {
  const isKnown = /^(?:audio|video)\/[\w.+-]+$/.test(file.type)
  return isKnown ? file.type : (types[endingOf(file)] ?? 'audio/wav')
}

/** Returns the format of a recording as one word, such as `mp3`. */
export function recordingFormat(file: FormFile): string {
  const ending = endingOf(file)
  if (ending in types || ending === 'wav' || ending === 'aac') return ending
  const word = recordingType(file).split('/')[1]?.replace(/^x-/, '') ?? ''
  return word === 'mpeg' ? 'mp3' : word
}

/** Returns a recording as base64. */
export const recordingData = ({ bytes }: FormFile): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
