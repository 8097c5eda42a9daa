import type { JsonObject } from '../json'
import type { ReportedUsage } from '../usage'
import type { PathContext } from '../views'
import type { Warn } from './codec'

/** A call for speech, independent of any dialect. */
export interface NeutralSpeech {
  readonly model: string
  readonly input: string
  /** Empty: the vendor's default. */
  readonly voice: string
  /** OpenAI's name of the audio format, as `mp3`. */
  readonly format: string
  /** Null: the usual speed. */
  readonly speed: number | null
  /** How to speak; null where the client does not say. */
  readonly instructions: string | null
}

/** Speech that came inside JSON. */
export interface SpokenAudio {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
  readonly usage: ReportedUsage | null
}

/** A dialect of speech that only upstreams have. Pure. */
export interface UpstreamSpeechCodec {
  /** A request for an upstream. */
  readonly writeCall: (call: NeutralSpeech, warn: Warn) => JsonObject
  /** Returns the audio in a response; null where it has none. Absent: the response is the audio. */
  readonly readAnswer?: (answer: JsonObject, call: Pick<NeutralSpeech, 'model' | 'format'>) => SpokenAudio | null
}

/** The dialect in which clients request speech. */
export interface ClientSpeechCodec {
  /** @throws DialectError when the request is not allowed. */
  readonly readCall: (body: JsonObject, place: PathContext) => NeutralSpeech
}
