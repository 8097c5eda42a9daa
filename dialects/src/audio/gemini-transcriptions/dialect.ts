import type { Dialect } from '../../core/dialect'
import { readError } from '../../chat/gemini/errors'
import { transcriptionDialect } from '../transcription-dialect'
import { geminiTranscriptionsCodec, geminiTranslationsCodec } from './codec'

/** Gemini's models as transcribers; only upstreams speak it. */
export const geminiTranscriptions: Dialect = {
  ...transcriptionDialect('gemini-transcriptions', geminiTranscriptionsCodec),
  readError,
}

/** The same into English. */
export const geminiTranslations: Dialect = {
  ...transcriptionDialect('gemini-translations', geminiTranslationsCodec),
  readError,
}
