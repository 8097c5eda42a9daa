import { speechDialect } from '../shared/speech-dialect'
import { cloudflareSpeechCodec } from './codec'

export const cloudflareSpeech = speechDialect('cloudflare-speech', cloudflareSpeechCodec)
