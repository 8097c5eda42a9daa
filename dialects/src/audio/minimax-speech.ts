import { speechDialect } from './speech-dialect'
import { objectOf, textOf, omitUndefined } from '../core/neutral/read'
import { openAiVoices, type UpstreamSpeechCodec } from '../core/neutral/speech'
import { promptUsage } from '../core/shared/reported-usage'
import { readUsage } from '../core/shared/usage'

const formats: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['pcm', 'audio/pcm'],
])

const defaultVoice = 'English_expressive_narrator'

/** `POST /v1/t2a_v2`: https://platform.minimax.io/docs/api-reference/speech-t2a-http */
export const miniMaxSpeechCodec: UpstreamSpeechCodec = {
  writeCall: ({ model, input, voice, format, speed, instructions }, warn) => {
    if (instructions !== null) warn('the instructions')
    if (!formats.has(format)) warn(`the format ${format.slice(0, 32)}`)
    return {
      model,
      text: input,
      stream: false,
      voice_setting: omitUndefined({
        voice_id: openAiVoices.has(voice) ? defaultVoice : voice,
        speed: speed === null ? undefined : Math.min(Math.max(speed, 0.5), 2),
      }),
      audio_setting: { format: formats.has(format) ? format : 'mp3' },
      output_format: 'hex',
    }
  },

  readAnswer: ({ data, extra_info: info }, call) => {
    const audio = textOf(objectOf(data)['audio'])
    if (!/^(?:[0-9a-f]{2})+$/i.test(audio)) return null
    const format = textOf(objectOf(info)['audio_format']) || call.format
    return {
      bytes: new Uint8Array(Buffer.from(audio, 'hex')),
      contentType: formats.get(format) ?? 'audio/mpeg',
      usage: promptUsage(readUsage({ prompt_tokens: objectOf(info)['usage_characters'] })),
    }
  },
}

export const miniMaxSpeech = speechDialect('minimax-speech', miniMaxSpeechCodec)
