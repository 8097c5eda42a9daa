import { speechDialect } from '../speech-dialect'
import { cloudflareSpeechCodec } from './codec'

export const cloudflareSpeech = speechDialect('cloudflare-speech', cloudflareSpeechCodec)
