import { speechDialect } from './speech-dialect'
import { omitUndefined } from '../core/neutral/read'
import type { UpstreamSpeechCodec } from '../core/neutral/speech'

/** OpenAI's request at vendors that respond with the audio itself and stream no events. */
const plainSpeechCodec: UpstreamSpeechCodec = {
  writeCall: ({ model, input, voice, format, speed, instructions }) =>
    omitUndefined({
      model,
      input,
      voice: voice === '' ? undefined : voice,
      response_format: format,
      speed: speed ?? undefined,
      instructions: instructions ?? undefined,
    }),
}

/** Speech without events; only upstreams speak it. */
export const plainSpeech = speechDialect('plain-speech', plainSpeechCodec)
