import { transcriptionDialect } from './transcription-dialect'
import type { FormFile } from '../core/form-file'
import { recordingData, recordingType, type UpstreamTranscriptionCodec } from '../core/neutral/transcription'
import { objectOf, objectsOf, omitUndefined } from '../core/neutral/read'
import { audioUsage, usageOfSeconds } from '../core/shared/usage'

/** Qwen's models that transcribe, in their chats. https://help.aliyun.com/zh/model-studio/qwen-asr-api-reference */
const dashScopeTranscriptionsCodec: UpstreamTranscriptionCodec = {
  writeCall: ({ model, recording, prompt, language, temperature }, warn) => {
    if (temperature !== null) warn('the temperature')
    const context = prompt === null ? [] : [{ role: 'system', content: [{ type: 'text', text: prompt }] }]
    const audio = { type: 'input_audio', input_audio: { data: addressOf(recording) } }
    return {
      model,
      messages: [...context, { role: 'user', content: [audio] }],
      stream: false,
      asr_options: omitUndefined({ language: language ?? undefined, enable_itn: false }),
    }
  },

  /** Sold by the second. */
  readAnswer: (answer) => {
    const { content } = objectOf(objectOf(objectsOf(answer['choices'])[0])['message'])
    const usage = objectOf(answer['usage'])
    return typeof content === 'string'
      ? { text: content, usage: usageOfSeconds(usage['seconds']) ?? audioUsage(usage) }
      : null
  },
}

const addressOf = (recording: FormFile): string => `data:${recordingType(recording)};base64,${recordingData(recording)}`

/** Chats that transcribe; only upstreams speak it. */
export const dashScopeTranscriptions = transcriptionDialect('dashscope-transcriptions', dashScopeTranscriptionsCodec)
