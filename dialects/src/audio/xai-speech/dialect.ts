import { speechDialect } from '../speech-dialect'
import { xAiSpeechCodec } from './codec'

export const xAiSpeech = speechDialect('xai-speech', xAiSpeechCodec)
