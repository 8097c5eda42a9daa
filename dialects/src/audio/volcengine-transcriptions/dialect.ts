import { transcriptionDialect } from '../transcription-dialect'
import { volcEngineTranscriptionsCodec } from './codec'

/** `POST /api/v3/auc/bigmodel/recognize/flash` of Doubao's speech; only upstreams speak it. */
export const volcEngineTranscriptions = transcriptionDialect('volcengine-transcriptions', volcEngineTranscriptionsCodec)
