import { speechDialect } from './speech-dialect'
import { textOf, omitUndefined } from '../core/neutral/read'
import { openAiVoices, type UpstreamSpeechCodec } from '../core/neutral/speech'

const types: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  opus: 'audio/opus',
}
const usualVoice = 'en_paul_neutral'

/** The audio comes inside JSON. https://docs.mistral.ai/studio/audio/text-to-speech/quickstarts */
const mistralSpeechCodec: UpstreamSpeechCodec = {
  writeCall: ({ model, input, voice, format, speed, instructions }, warn) => {
    if (instructions !== null) warn('the instructions')
    if (speed !== null) warn('the speed')
    const isKnown = Object.hasOwn(types, format)
    if (!isKnown) warn(`the format ${format.slice(0, 32)}`)
    return omitUndefined({
      model,
      input,
      voice_id: openAiVoices.has(voice) ? usualVoice : voice,
      response_format: isKnown ? format : 'wav',
    })
  },

  readAnswer: (answer, { format }) => {
    const data = textOf(answer['audio_data'])
    if (data === '') return null
    const contentType = types[format] ?? 'audio/wav'
    return { bytes: new Uint8Array(Buffer.from(data, 'base64')), contentType, usage: null }
  },
}

export const mistralSpeech = speechDialect('mistral-speech', mistralSpeechCodec)
