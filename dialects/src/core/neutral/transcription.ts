import type { FormFile } from '../form-file'
import type { JsonObject } from '../json'
import type { ReportedUsage } from '../usage'
import type { PathContext } from '../views'
import type { Warn } from './codec'

/** A call for a transcript, independent of any dialect. */
export interface NeutralTranscription {
  readonly model: string
  readonly recording: FormFile
  /** What the recording is about; null where the client does not say. */
  readonly prompt: string | null
  /** A code such as `en`; null: detected. */
  readonly language: string | null
  readonly temperature: number | null
}

/** What a recording says. */
interface Transcript {
  readonly text: string
  readonly usage: ReportedUsage | null
}

/** A dialect for transcriptions that only upstreams speak. Pure. */
export interface UpstreamTranscriptionCodec {
  readonly writeCall: (call: NeutralTranscription, warn: Warn) => JsonObject
  /** Returns the transcript in a response; null where it has none. */
  readonly readAnswer: (answer: JsonObject) => Transcript | null
}

/** The dialect in which clients request transcripts. */
export interface ClientTranscriptionCodec {
  /** @throws DialectError when the request is not allowed. */
  readonly readCall: (body: JsonObject, pathContext: PathContext) => NeutralTranscription
}

const typeByEnding: Readonly<Record<string, string>> = {
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
  return isKnown ? file.type : (typeByEnding[endingOf(file)] ?? 'audio/wav')
}

/** Returns the format of a recording as one word, such as `mp3`. */
export function recordingFormat(file: FormFile): string {
  const ending = endingOf(file)
  if (ending in typeByEnding || ending === 'wav' || ending === 'aac') return ending
  const word = recordingType(file).split('/')[1]?.replace(/^x-/, '') ?? ''
  return word === 'mpeg' ? 'mp3' : word
}

/** Returns a recording as base64. */
export const recordingData = ({ bytes }: FormFile): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
