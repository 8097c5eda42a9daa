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
  readonly readCall: (body: JsonObject, pathContext: PathContext) => NeutralSpeech
}

/** OpenAI's names of voices, and none: clients send them by default, and other vendors do not know them. */
export const openAiVoices: ReadonlySet<string> = new Set(
  ',alloy,ash,ballad,cedar,coral,echo,fable,marin,nova,onyx,sage,shimmer,verse'.split(','),
)

const usualGeminiVoice = 'Kore'

/** Returns a voice of Gemini: its voices begin with a capital letter, OpenAI's do not. */
export const geminiVoice = (voice: string): string => (/^[A-Z]/.test(voice) ? voice : usualGeminiVoice)

const waveHeaderBytes = 44
const sampleBytes = 2

/** Returns a WAV file of these samples: one channel of 16 bits. */
export function waveOf(pcm: Uint8Array, samplesPerSecond: number): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(waveHeaderBytes + pcm.byteLength)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(waveHeaderBytes - 8 + pcm.byteLength, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(samplesPerSecond, 24)
  file.writeUInt32LE(samplesPerSecond * sampleBytes, 28)
  file.writeUInt16LE(sampleBytes, 32)
  file.writeUInt16LE(sampleBytes * 8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(pcm.byteLength, 40)
  file.set(pcm, waveHeaderBytes)
  return file
}
