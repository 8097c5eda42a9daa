import { transcriptionDialect } from './transcription-dialect'
import { objectOf, omitUndefined } from '../core/neutral/read'
import { recordingData, recordingFormat, type UpstreamTranscriptionCodec } from '../core/neutral/transcription'
import { audioUsage, usageOfSeconds } from '../core/shared/usage'

/** A recording inside JSON. https://openrouter.ai/docs/guides/overview/multimodal/stt */
const openRouterTranscriptionsCodec: UpstreamTranscriptionCodec = {
  writeCall: ({ model, recording, prompt, language, temperature }, warn) => {
    if (prompt !== null) warn('the prompt')
    return omitUndefined({
      model,
      input_audio: { data: recordingData(recording), format: recordingFormat(recording) },
      language: language ?? undefined,
      temperature: temperature ?? undefined,
    })
  },

  /** Sold by the second or by tokens, as the host behind it does. */
  readAnswer: ({ text, usage }) =>
    typeof text === 'string' ? { text, usage: usageOfSeconds(objectOf(usage)['seconds']) ?? audioUsage(usage) } : null,
}

/** Recordings inside JSON; only upstreams speak it. */
export const openRouterTranscriptions = transcriptionDialect('openrouter-transcriptions', openRouterTranscriptionsCodec)
