import { written } from '../../core/neutral/read'
import type { UpstreamSpeechCodec } from '../../core/neutral/speech'

/** OpenAI's request at vendors that respond with the audio itself and stream no events. */
export const plainSpeechCodec: UpstreamSpeechCodec = {
  writeCall: ({ model, input, voice, format, speed, instructions }) =>
    written({
      model,
      input,
      voice: voice === '' ? undefined : voice,
      response_format: format,
      speed: speed ?? undefined,
      instructions: instructions ?? undefined,
    }),
}
