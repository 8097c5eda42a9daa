import { speechDialect } from '../speech-dialect'
import { dashScopeSpeechCodec } from './codec'

/** Speech of DashScope; only upstreams speak it. */
export const dashScopeSpeech = speechDialect('dashscope-speech', dashScopeSpeechCodec)
