import { speechDialect } from './speech-dialect'
import type { JsonObject } from '../core/json'
import { numberOrNull, objectOf, textOf, omitUndefined } from '../core/neutral/read'
import { type NeutralSpeech, openAiVoices, type UpstreamSpeechCodec, waveOf } from '../core/neutral/speech'
import { audioUsage } from '../core/shared/usage'
import type { Warn } from '../core/neutral/codec'

const samplesPerSecond = 24_000

/** Returns whether the model is one of those with formats and a speed, which have an address of their own. */
export const isSynthesizer = (model: string): boolean => /^(?:cosyvoice|qwen-audio)/.test(model)

/** What comes in pieces has no header, so WAV files are made of samples. */
const formats: ReadonlyMap<string, string> = new Map([
  ['mp3', 'audio/mpeg'],
  ['opus', 'audio/ogg'],
  ['pcm', 'audio/pcm'],
  ['wav', 'audio/wav'],
])

/**
 * Speech of Alibaba's models, whose pieces were put together.
 * https://help.aliyun.com/zh/model-studio/qwen-tts-api and https://help.aliyun.com/zh/model-studio/cosyvoice-tts-http-api
 */
const dashScopeSpeechCodec: UpstreamSpeechCodec = {
  writeCall: (call, warn) => ({
    model: call.model,
    input: isSynthesizer(call.model) ? ofSynthesizer(call, warn) : ofQwen(call, warn),
  }),

  readAnswer: (answer, { model, format }) => {
    const { audio } = objectOf(answer['output'])
    const data = Buffer.from(textOf(objectOf(audio)['data']), 'base64')
    if (data.byteLength === 0) return null
    const usage = usageIn(objectOf(answer['usage']))
    const isPacked = isSynthesizer(model) && (format === 'opus' || !isPlain(format))
    if (isPacked) return { bytes: new Uint8Array(data), contentType: formats.get(format) ?? 'audio/mpeg', usage }
    const samples = withoutHeader(data)
    return format === 'pcm'
      ? { bytes: new Uint8Array(samples), contentType: 'audio/pcm', usage }
      : { bytes: waveOf(samples, samplesPerSecond), contentType: 'audio/wav', usage }
  },
}

const isPlain = (format: string): boolean => format === 'pcm' || format === 'wav'

function ofQwen({ model, input, voice, format, speed, instructions }: NeutralSpeech, warn: Warn): JsonObject {
  const isInstructed = model.includes('-instruct')
  if (instructions !== null && !isInstructed) warn('the instructions')
  if (speed !== null && speed !== 1) warn('the speed')
  if (!isPlain(format)) warn(`the format ${format.slice(0, 32)}`)
  return omitUndefined({
    text: input,
    voice: openAiVoices.has(voice) ? 'Cherry' : voice,
    language_type: 'Auto',
    instructions: isInstructed ? (instructions ?? undefined) : undefined,
  })
}

function ofSynthesizer({ input, voice, format, speed, instructions }: NeutralSpeech, warn: Warn): JsonObject {
  if (!formats.has(format)) warn(`the format ${format.slice(0, 32)}`)
  return omitUndefined({
    text: input,
    voice: openAiVoices.has(voice) ? 'longanyang' : voice,
    format: isPlain(format) ? 'pcm' : format === 'opus' ? 'opus' : 'mp3',
    sample_rate: samplesPerSecond,
    rate: speed === null ? undefined : Math.min(Math.max(speed, 0.5), 2),
    instruction: instructions ?? undefined,
  })
}

const headerBytes = 44

/** Samples may come with the header of a file that is not yet known to end. */
const withoutHeader = (data: Buffer): Buffer =>
  data.toString('latin1', 0, 4) === 'RIFF' ? data.subarray(headerBytes) : data

/** Some models are sold by the token, the others by the character, of which the gateway keeps count itself. */
function usageIn(usage: JsonObject) {
  const read = numberOrNull(usage['output_tokens']) === null ? null : audioUsage(usage)
  return read && { ...read, audioOutputTokens: read.completionTokens }
}

/** Speech of DashScope; only upstreams speak it. */
export const dashScopeSpeech = speechDialect('dashscope-speech', dashScopeSpeechCodec)
