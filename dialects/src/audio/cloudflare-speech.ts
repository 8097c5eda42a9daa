import { speechDialect } from './speech-dialect'
import type { JsonObject } from '../core/json'
import { omitUndefined } from '../core/neutral/read'
import { openAiVoices, type UpstreamSpeechCodec } from '../core/neutral/speech'

const formats: Readonly<Record<string, JsonObject>> = {
  mp3: { encoding: 'mp3' },
  opus: { encoding: 'opus', container: 'ogg' },
  aac: { encoding: 'aac' },
  flac: { encoding: 'flac' },
  wav: { encoding: 'linear16', container: 'wav' },
  pcm: { encoding: 'linear16', container: 'none', sample_rate: 24_000 },
}
const usualFormat: JsonObject = { encoding: 'mp3' }

/** Deepgram's voices at Workers AI, answered with the audio itself. https://developers.cloudflare.com/workers-ai/models/aura-1/ */
const cloudflareSpeechCodec: UpstreamSpeechCodec = {
  writeCall: ({ input, voice, format, speed, instructions }, warn) => {
    if (instructions !== null) warn('the instructions')
    if (speed !== null) warn('the speed')
    const known = Object.hasOwn(formats, format) ? formats[format] : undefined
    if (!known) warn(`the format ${format.slice(0, 32)}`)
    return omitUndefined({
      text: input,
      speaker: openAiVoices.has(voice) ? undefined : voice,
      ...(known ?? usualFormat),
    })
  },
}

export const cloudflareSpeech = speechDialect('cloudflare-speech', cloudflareSpeechCodec)
