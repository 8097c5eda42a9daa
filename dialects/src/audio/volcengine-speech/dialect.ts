import { speechDialect } from '../speech-dialect'
import { volcEngineSpeechCodec } from './codec'

/** `POST /api/v3/tts/unidirectional` of Doubao's speech; only upstreams speak it. */
export const volcEngineSpeech = speechDialect('volcengine-speech', volcEngineSpeechCodec)
