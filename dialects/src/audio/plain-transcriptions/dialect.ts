import { transcriptionDialect } from '../transcription-dialect'
import { plainTranscriptionsCodec } from './codec'

/** Transcripts of vendors that know one format; only upstreams speak it. */
export const plainTranscriptions = transcriptionDialect('plain-transcriptions', plainTranscriptionsCodec)
