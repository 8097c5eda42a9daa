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
  readonly readCall: (body: JsonObject, place: PathContext) => NeutralTranscription
}
