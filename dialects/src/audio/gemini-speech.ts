import type { Dialect } from '../core/dialect'
import { readError } from '../chat/gemini/errors'
import { speechDialect } from './speech-dialect'
import { member, memberList, memberObject } from '../core/shared/google-members'
import { readUsage } from '../chat/gemini/usage'
import { isObject, type JsonObject } from '../core/json'
import { textOf } from '../core/neutral/read'
import { geminiVoice, type SpokenAudio, type UpstreamSpeechCodec, waveOf } from '../core/neutral/speech'

/** `POST …:generateContent` for audio, which comes as PCM: https://ai.google.dev/gemini-api/docs/speech-generation */
const geminiSpeechCodec: UpstreamSpeechCodec = {
  writeCall: ({ input, voice, format, speed, instructions }, warn) => {
    if (speed !== null && speed !== 1) warn('the speed')
    if (format !== 'wav' && format !== 'pcm') warn(`the format ${format.slice(0, 32)}`)
    return {
      contents: [{ role: 'user', parts: [{ text: instructions === null ? input : `${instructions}\n\n${input}` }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: geminiVoice(voice) } } },
      },
    }
  },

  readAnswer: (answer, { format }) => {
    const parts = memberList(memberObject(firstOf(memberList(answer, 'candidates')), 'content'), 'parts')
    const data = parts.flatMap((part) => (isObject(part) ? [memberObject(part, 'inlineData')] : []))
    const pcm = Buffer.concat(data.map((inline) => Buffer.from(textOf(member(inline, 'data')), 'base64')))
    if (pcm.byteLength === 0) return null
    return { ...asAudio(pcm, textOf(member(data[0] ?? {}, 'mimeType')), format), usage: usageIn(answer) }
  },
}

const firstOf = (list: readonly unknown[]): JsonObject => (isObject(list[0]) ? list[0] : {})

const usualRate = 24_000

function asAudio(pcm: Buffer, type: string, format: string): Omit<SpokenAudio, 'usage'> {
  if (format === 'pcm') return { bytes: new Uint8Array(pcm), contentType: 'audio/pcm' }
  const rate = Number(/rate=(\d{4,6})/.exec(type)?.[1] ?? usualRate)
  return { bytes: waveOf(pcm, rate), contentType: 'audio/wav' }
}

/** All output is audio, though not every response reports it as such. */
function usageIn(answer: JsonObject) {
  const usage = readUsage(answer)
  return usage && { ...usage, audioOutputTokens: usage.completionTokens - usage.reasoningTokens }
}

export const geminiSpeech: Dialect = { ...speechDialect('gemini-speech', geminiSpeechCodec), readError }
