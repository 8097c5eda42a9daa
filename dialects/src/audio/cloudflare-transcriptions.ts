import { transcriptionDialect } from './transcription-dialect'
import { objectOf, omitUndefined } from '../core/neutral/read'
import { recordingData, type UpstreamTranscriptionCodec } from '../core/neutral/transcription'
import { usageOfSeconds } from '../core/shared/usage'

/** Whisper at Workers AI. https://developers.cloudflare.com/workers-ai/models/whisper-large-v3-turbo/ */
const codecOf = (task: 'transcribe' | 'translate'): UpstreamTranscriptionCodec => ({
  writeCall: ({ recording, prompt, language, temperature }, warn) => {
    if (temperature !== null) warn('the temperature')
    return omitUndefined({
      audio: recordingData(recording),
      task,
      language: language ?? undefined,
      initial_prompt: prompt ?? undefined,
    })
  },

  /** Sold by the minute. */
  readAnswer: (answer) => {
    const { text, transcription_info: info } = objectOf(answer['result'])
    return typeof text === 'string' ? { text, usage: usageOfSeconds(objectOf(info)['duration']) } : null
  },
})

const cloudflareTranscriptionsCodec = codecOf('transcribe')
const cloudflareTranslationsCodec = codecOf('translate')

/** Whisper at Workers AI; only upstreams speak it. */
export const cloudflareTranscriptions = transcriptionDialect('cloudflare-transcriptions', cloudflareTranscriptionsCodec)

/** The same into English. */
export const cloudflareTranslations = transcriptionDialect('cloudflare-translations', cloudflareTranslationsCodec)
