import { speechDialect } from '../speech-dialect'
import { plainSpeechCodec } from './codec'

/** Speech without events; only upstreams speak it. */
export const plainSpeech = speechDialect('plain-speech', plainSpeechCodec)
