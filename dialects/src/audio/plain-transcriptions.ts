import { transcriptionDialect } from './transcription-dialect'
import { objectOf, omitUndefined } from '../core/neutral/read'
import type { UpstreamTranscriptionCodec } from '../core/neutral/transcription'
import { audioUsage, usageOfSeconds } from '../core/shared/usage'

/**
 * OpenAI's form at vendors that respond with JSON in one piece, whatever format is requested. The file comes last, as some want it.
 * https://docs.mistral.ai/api/endpoint/audio/transcriptions
 */
const plainTranscriptionsCodec: UpstreamTranscriptionCodec = {
  writeCall: ({ model, recording, prompt, language, temperature }) =>
    omitUndefined({
      model,
      prompt: prompt ?? undefined,
      language: language ?? undefined,
      temperature: temperature ?? undefined,
      file: recording,
    }),

  readAnswer: ({ text, usage, duration }) => {
    if (typeof text !== 'string') return null
    const seconds = objectOf(usage)['prompt_audio_seconds'] ?? duration
    return { text, usage: usageOfSeconds(seconds) ?? audioUsage(usage) }
  },
}

/** Transcripts of vendors that know one format; only upstreams speak it. */
export const plainTranscriptions = transcriptionDialect('plain-transcriptions', plainTranscriptionsCodec)
