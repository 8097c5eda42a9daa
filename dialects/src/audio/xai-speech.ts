import { speechDialect } from './speech-dialect'
import { omitUndefined } from '../core/neutral/read'
import type { UpstreamSpeechCodec } from '../core/neutral/speech'

const formats: ReadonlySet<string> = new Set(['mp3', 'wav', 'pcm'])
const voices: ReadonlySet<string> = new Set(['ara', 'eve', 'leo', 'rex', 'sal'])
/** OpenAI's format without a header. */
const pcmRate = 24_000

/** `POST /v1/tts`, answered with the audio itself: https://docs.x.ai/developers/model-capabilities/audio/text-to-speech */
const xAiSpeechCodec: UpstreamSpeechCodec = {
  writeCall: ({ input, voice, format, speed, instructions }, warn) => {
    if (instructions !== null) warn('the instructions')
    if (!formats.has(format)) warn(`the format ${format.slice(0, 32)}`)
    return omitUndefined({
      text: input,
      voice_id: isOpenAiVoice(voice) ? undefined : voice,
      language: 'auto',
      speed: speed ?? undefined,
      output_format: omitUndefined({
        codec: formats.has(format) ? format : 'mp3',
        sample_rate: format === 'pcm' ? pcmRate : undefined,
      }),
    })
  },
}

/** Custom voices have ids of digits and letters; a plain word that is not one of xAI's voices is OpenAI's. */
const isOpenAiVoice = (voice: string): boolean =>
  voice === '' || (/^[a-z]+$/i.test(voice) && !voices.has(voice.toLowerCase()))

export const xAiSpeech = speechDialect('xai-speech', xAiSpeechCodec)
