import { transcriptionDialect } from '../transcription-dialect'
import { openRouterTranscriptionsCodec } from './codec'

/** Recordings inside JSON; only upstreams speak it. */
export const openRouterTranscriptions = transcriptionDialect('openrouter-transcriptions', openRouterTranscriptionsCodec)
