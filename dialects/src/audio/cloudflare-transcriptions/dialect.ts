import { transcriptionDialect } from '../transcription-dialect'
import { cloudflareTranscriptionsCodec, cloudflareTranslationsCodec } from './codec'

/** Whisper at Workers AI; only upstreams speak it. */
export const cloudflareTranscriptions = transcriptionDialect('cloudflare-transcriptions', cloudflareTranscriptionsCodec)

/** The same into English. */
export const cloudflareTranslations = transcriptionDialect('cloudflare-translations', cloudflareTranslationsCodec)
