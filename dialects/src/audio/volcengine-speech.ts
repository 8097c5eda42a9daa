import { speechDialect } from './speech-dialect'
import { textOf, omitUndefined } from '../core/neutral/read'
import { openAiVoices, type UpstreamSpeechCodec, waveOf } from '../core/neutral/speech'

const samplesPerSecond = 24_000

/** The vendor's formats by OpenAI's. WAV files are made of samples: what comes in pieces has no header. */
const formats: ReadonlyMap<string, { readonly name: string; readonly type: string }> = new Map([
  ['mp3', { name: 'mp3', type: 'audio/mpeg' }],
  ['opus', { name: 'ogg_opus', type: 'audio/ogg' }],
  ['pcm', { name: 'pcm', type: 'audio/pcm' }],
  ['wav', { name: 'pcm', type: 'audio/wav' }],
])
const usual = { name: 'mp3', type: 'audio/mpeg' }

/** Each version has voices of its own. */
const voiceOf = (model: string): string =>
  model.startsWith('seed-tts-1') ? 'zh_female_shuangkuaisisi_moon_bigtts' : 'zh_female_vv_uranus_bigtts'

/** From half the usual speed to twice, as -50 to 100. */
const rateOf = (speed: number): number => Math.round((Math.min(Math.max(speed, 0.5), 2) - 1) * 100)

/** Doubao's speech, whose pieces were put together. https://www.volcengine.com/docs/6561/1598757 */
const volcEngineSpeechCodec: UpstreamSpeechCodec = {
  writeCall: ({ model, input, voice, format, speed, instructions }, warn) => {
    const takesInstructions = model.startsWith('seed-tts-2')
    if (instructions !== null && !takesInstructions) warn('the instructions')
    if (!formats.has(format)) warn(`the format ${format.slice(0, 32)}`)
    return {
      req_params: omitUndefined({
        text: input,
        speaker: openAiVoices.has(voice) ? voiceOf(model) : voice,
        audio_params: omitUndefined({
          format: (formats.get(format) ?? usual).name,
          sample_rate: samplesPerSecond,
          speech_rate: speed === null ? undefined : rateOf(speed),
        }),
        additions:
          takesInstructions && instructions !== null ? JSON.stringify({ context_texts: [instructions] }) : undefined,
      }),
    }
  },

  readAnswer: ({ data }, { format }) => {
    const bytes = Buffer.from(textOf(data), 'base64')
    if (bytes.byteLength === 0) return null
    const { type: contentType } = formats.get(format) ?? usual
    return {
      bytes: format === 'wav' ? waveOf(bytes, samplesPerSecond) : new Uint8Array(bytes),
      contentType,
      usage: null,
    }
  },
}

/** `POST /api/v3/tts/unidirectional` of Doubao's speech; only upstreams speak it. */
export const volcEngineSpeech = speechDialect('volcengine-speech', volcEngineSpeechCodec)
