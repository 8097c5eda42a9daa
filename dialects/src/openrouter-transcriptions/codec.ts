import { objectOf, written } from '../neutral/read'
import type { UpstreamTranscriptionCodec } from '../neutral/transcription'
import { audioUsage, usageOfSeconds } from '../shared/audio-usage'
import { recordingData, recordingFormat } from '../shared/recording'

/** A recording inside JSON. https://openrouter.ai/docs/guides/overview/multimodal/stt */
export const openRouterTranscriptionsCodec: UpstreamTranscriptionCodec = {
  writeCall: ({ model, recording, prompt, language, temperature }, warn) => {
    if (prompt !== null) warn('the prompt')
    return written({
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
