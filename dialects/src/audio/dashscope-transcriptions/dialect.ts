import { transcriptionDialect } from '../transcription-dialect'
import { dashScopeTranscriptionsCodec } from './codec'

/** Chats that transcribe; only upstreams speak it. */
export const dashScopeTranscriptions = transcriptionDialect('dashscope-transcriptions', dashScopeTranscriptionsCodec)
